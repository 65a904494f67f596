package dev.berth.server.discovery;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.kinds.Subresource;
import dev.berth.server.kinds.Verb;
import java.util.Collection;
import java.util.List;

/// The older form of discovery: one document for the groups, one per group, one per version.
///
/// Clients before Kubernetes 1.26 and simple tools only know this form.
final class PlainDocuments {
  private final ServedGroups groups;

  PlainDocuments(ServedGroups groups) {
    this.groups = groups;
  }

  static ObjectNode apiVersions(List<String> versions, String serverAddress) {
    ObjectNode document = JsonTrees.object().put("kind", "APIVersions");
    ArrayNode list = document.putArray("versions");
    versions.forEach(list::add);
    document
        .putArray("serverAddressByClientCIDRs")
        .addObject()
        .put("clientCIDR", "0.0.0.0/0")
        .put("serverAddress", serverAddress);
    return document;
  }

  ObjectNode groupList() {
    ObjectNode document = JsonTrees.object().put("kind", "APIGroupList").put("apiVersion", "v1");
    ArrayNode list = document.putArray("groups");
    groups.named().forEach(group -> describe(list.addObject(), group));
    return document;
  }

  ObjectNode group(String group) {
    ObjectNode document = JsonTrees.object().put("kind", "APIGroup").put("apiVersion", "v1");
    describe(document, group);
    return document;
  }

  private void describe(ObjectNode entry, String group) {
    entry.put("name", group);
    ArrayNode versions = entry.putArray("versions");
    for (String version : groups.versions(group)) {
      versions.addObject().put("groupVersion", group + "/" + version).put("version", version);
    }
    entry.set("preferredVersion", versions.get(0).deepCopy());
  }

  ObjectNode resourceList(String group, String version) {
    ObjectNode document = JsonTrees.object().put("kind", "APIResourceList");
    if (!group.isEmpty()) {
      document.put("apiVersion", "v1");
    }
    document.put("groupVersion", group.isEmpty() ? version : group + "/" + version);
    ArrayNode list = document.putArray("resources");
    for (ServedResource resource : groups.resources(group, version)) {
      addResource(list.addObject(), resource);
      resource.subresources().forEach(sub -> addSubresource(list.addObject(), resource, sub));
    }
    return document;
  }

  private static void addResource(ObjectNode row, ServedResource resource) {
    row.put("name", resource.plural())
        .put("singularName", resource.singular())
        .put("namespaced", resource.namespaced())
        .put("kind", resource.kind());
    addVerbs(row, resource.verbs());
    addUnlessEmpty(row, "shortNames", resource.shortNames());
    addUnlessEmpty(row, "categories", resource.categories());
    if (!resource.storageHash().isEmpty()) {
      row.put("storageVersionHash", resource.storageHash());
    }
  }

  private static void addSubresource(ObjectNode row, ServedResource parent, Subresource sub) {
    row.put("name", parent.plural() + "/" + sub.name())
        .put("singularName", "")
        .put("namespaced", parent.namespaced());
    if (!sub.version().isEmpty()) {
      row.put("group", sub.group()).put("version", sub.version());
    }
    row.put("kind", sub.kind());
    addVerbs(row, sub.verbs());
  }

  static void addVerbs(ObjectNode row, Collection<Verb> verbs) {
    ArrayNode list = row.putArray("verbs");
    verbs.stream().sorted().forEach(verb -> list.add(verb.toString()));
  }

  static void addUnlessEmpty(ObjectNode row, String field, List<String> values) {
    if (!values.isEmpty()) {
      values.forEach(row.putArray(field)::add);
    }
  }
}
