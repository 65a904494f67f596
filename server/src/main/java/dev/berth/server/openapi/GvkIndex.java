package dev.berth.server.openapi;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.kinds.Kinds;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.ReviewKind;
import dev.berth.server.kinds.ServedVersion;
import dev.berth.server.kinds.Subresource;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Which kinds each definition stands for; most stand for none or one.
final class GvkIndex {
  private final Map<String, Set<Gvk>> byDefinition = new HashMap<>();

  GvkIndex(Kinds kinds) {
    for (ResourceKind kind : kinds.all()) {
      kind.versions().forEach(served -> addKind(kind, served));
      kind.subresources().forEach(this::addSubresource);
    }
    for (ReviewKind kind : kinds.reviews()) {
      addByName(new Gvk(kind.group(), kind.version(), kind.kind()));
      addOptions(kind.group(), kind.version());
    }
    for (String kind :
        List.of("Status", "APIGroup", "APIGroupList", "APIResourceList", "APIVersions")) {
      add(Names.meta(kind), new Gvk("", "v1", kind));
    }
  }

  private void addKind(ResourceKind kind, ServedVersion served) {
    String definition = Names.definition(served.type().name());
    String name = kind.names().kind();
    add(definition, new Gvk(served.group(), served.version(), name));
    add(definition + "List", new Gvk(served.group(), served.version(), name + "List"));
    addOptions(served.group(), served.version());
  }

  private void addOptions(String group, String version) {
    add(Names.meta("DeleteOptions"), new Gvk(group, version, "DeleteOptions"));
    add(BuiltIn.WATCH_EVENT, new Gvk(group, version, "WatchEvent"));
  }

  private void addSubresource(Subresource sub) {
    if (!sub.version().isEmpty()) {
      addByName(new Gvk(sub.group(), sub.version(), sub.kind()));
    }
  }

  private void addByName(Gvk gvk) {
    add(Names.definition(Names.type(gvk.group(), gvk.version(), gvk.kind())), gvk);
  }

  private void add(String definition, Gvk gvk) {
    byDefinition.computeIfAbsent(definition, _ -> new LinkedHashSet<>()).add(gvk);
  }

  List<Gvk> of(String definition) {
    return List.copyOf(byDefinition.getOrDefault(definition, Set.of()));
  }

  void addTo(ObjectNode node, String definition) {
    addTo(node, of(definition));
  }

  static void addTo(ObjectNode node, List<Gvk> gvks) {
    if (!gvks.isEmpty()) {
      ArrayNode list = node.putArray(Gvk.EXTENSION);
      gvks.forEach(gvk -> list.add(gvk.toJson()));
    }
  }
}
