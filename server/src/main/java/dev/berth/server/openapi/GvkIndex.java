package dev.berth.server.openapi;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.ReviewKind;
import dev.berth.server.kinds.ServedVersion;
import dev.berth.server.kinds.Subresource;
import dev.berth.server.kinds.catalog.ServedKinds;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The kinds of each definition; most have none or one.
///
/// kubectl finds the schema of a manifest by this extension. Some definitions belong to many kinds:
/// every group version has its DeleteOptions.
final class GvkIndex {
  private final Map<String, Set<GroupVersionKind>> byDefinition = new HashMap<>();

  GvkIndex(ServedKinds kinds) {
    for (ResourceKind kind : kinds.all()) {
      kind.versions().forEach(served -> addKind(kind, served));
      kind.subresources().forEach(this::addSubresource);
    }
    for (ReviewKind kind : kinds.reviews()) {
      addByName(new GroupVersionKind(kind.group(), kind.version(), kind.kind()));
      addOptions(kind.group(), kind.version());
    }
    for (String kind :
        List.of("Status", "APIGroup", "APIGroupList", "APIResourceList", "APIVersions")) {
      add(OpenApiNames.meta(kind), new GroupVersionKind("", "v1", kind));
    }
  }

  private void addKind(ResourceKind kind, ServedVersion served) {
    String definition = OpenApiNames.definition(served.type().name());
    String name = kind.names().kind();
    add(definition, new GroupVersionKind(served.group(), served.version(), name));
    add(definition + "List", new GroupVersionKind(served.group(), served.version(), name + "List"));
    addOptions(served.group(), served.version());
  }

  private void addOptions(String group, String version) {
    add(OpenApiNames.meta("DeleteOptions"), new GroupVersionKind(group, version, "DeleteOptions"));
    add(BuiltInDefinitions.WATCH_EVENT, new GroupVersionKind(group, version, "WatchEvent"));
  }

  private void addSubresource(Subresource sub) {
    if (!sub.version().isEmpty()) {
      addByName(new GroupVersionKind(sub.group(), sub.version(), sub.kind()));
    }
  }

  private void addByName(GroupVersionKind gvk) {
    add(OpenApiNames.definition(OpenApiNames.type(gvk.group(), gvk.version(), gvk.kind())), gvk);
  }

  private void add(String definition, GroupVersionKind gvk) {
    byDefinition.computeIfAbsent(definition, _ -> new LinkedHashSet<>()).add(gvk);
  }

  List<GroupVersionKind> of(String definition) {
    return List.copyOf(byDefinition.getOrDefault(definition, Set.of()));
  }

  void addTo(ObjectNode node, String definition) {
    addTo(node, of(definition));
  }

  static void addTo(ObjectNode node, List<GroupVersionKind> gvks) {
    if (!gvks.isEmpty()) {
      ArrayNode list = node.putArray(GroupVersionKind.EXTENSION);
      gvks.forEach(gvk -> list.add(gvk.toJson()));
    }
  }
}
