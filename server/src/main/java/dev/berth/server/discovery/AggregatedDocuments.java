package dev.berth.server.discovery;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.kinds.Subresource;
import java.util.List;

/// The newer form of discovery: everything below `/api` or `/apis` in one document.
///
/// Kubernetes 1.26 introduced it (KEP-3352): a client needs two requests instead of one per group
/// and version.
final class AggregatedDocuments {
  private final ServedGroups groups;

  AggregatedDocuments(ServedGroups groups) {
    this.groups = groups;
  }

  ObjectNode document(List<String> wanted, String apiVersion) {
    ObjectNode document = JsonTrees.object();
    document
        .put("kind", "APIGroupDiscoveryList")
        .put("apiVersion", "apidiscovery.k8s.io/" + apiVersion)
        .putObject("metadata");
    ArrayNode items = document.putArray("items");
    wanted.forEach(group -> addGroup(items.addObject(), group));
    return document;
  }

  private void addGroup(ObjectNode item, String group) {
    ObjectNode metadata = item.putObject("metadata");
    if (!group.isEmpty()) {
      metadata.put("name", group);
    }
    metadata.putNull("creationTimestamp");
    ArrayNode versions = item.putArray("versions");
    for (String version : groups.versions(group)) {
      ObjectNode entry = versions.addObject().put("version", version);
      ArrayNode resources = entry.putArray("resources");
      groups
          .resources(group, version)
          .forEach(resource -> addResource(resources.addObject(), resource));
      entry.put("freshness", "Current");
    }
  }

  private static void addResource(ObjectNode entry, ServedResource resource) {
    entry.put("resource", resource.plural());
    addResponseKind(entry, "", "", resource.kind());
    entry
        .put("scope", resource.namespaced() ? "Namespaced" : "Cluster")
        .put("singularResource", resource.singular());
    PlainDocuments.addVerbs(entry, resource.verbs());
    PlainDocuments.addUnlessEmpty(entry, "shortNames", resource.shortNames());
    PlainDocuments.addUnlessEmpty(entry, "categories", resource.categories());
    if (!resource.subresources().isEmpty()) {
      ArrayNode list = entry.putArray("subresources");
      resource.subresources().forEach(sub -> addSubresource(list.addObject(), sub));
    }
  }

  private static void addSubresource(ObjectNode entry, Subresource sub) {
    entry.put("subresource", sub.name());
    addResponseKind(entry, sub.group(), sub.version(), sub.kind());
    PlainDocuments.addVerbs(entry, sub.verbs());
  }

  /// Group and version are empty when they are those of the enclosing version.
  private static void addResponseKind(ObjectNode entry, String group, String version, String kind) {
    entry.putObject("responseKind").put("group", group).put("version", version).put("kind", kind);
  }
}
