package dev.berth.client.fake;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiRequest;
import dev.berth.client.ResourceType;
import dev.berth.client.ServedResource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The fake server's aggregated discovery.
///
/// Only the aggregated form (KEP-3352), which the client asks for.
final class FakeDiscovery {
  private FakeDiscovery() {}

  static ObjectNode describe(ApiRequest request, List<ServedResource> served) {
    ObjectNode answer = FakeApi.MAPPER.createObjectNode().put("kind", "APIGroupDiscoveryList");
    ArrayNode items = answer.putArray("items");
    boolean core = request.target().equals("/api");
    Set<String> groups = new LinkedHashSet<>();
    served.forEach(resource -> groups.add(resource.type().group()));
    groups.removeIf(group -> group.isEmpty() != core);
    for (String group : groups) {
      ObjectNode item = items.addObject();
      item.putObject("metadata").put("name", group);
      ArrayNode versions = item.putArray("versions");
      Set<String> names = new LinkedHashSet<>();
      served.stream()
          .filter(resource -> resource.type().group().equals(group))
          .forEach(resource -> names.add(resource.type().version()));
      for (String version : names) {
        ArrayNode resources = versions.addObject().put("version", version).putArray("resources");
        served.stream()
            .filter(resource -> resource.type().group().equals(group))
            .filter(resource -> resource.type().version().equals(version))
            .forEach(resource -> describe(resource, resources.addObject()));
      }
    }
    return answer;
  }

  private static void describe(ServedResource resource, ObjectNode into) {
    ResourceType type = resource.type();
    into.put("resource", type.plural());
    into.put("scope", type.namespaced() ? "Namespaced" : "Cluster");
    into.putObject("responseKind").put("kind", type.kind());
    ArrayNode verbs = into.putArray("verbs");
    resource.verbs().forEach(verbs::add);
  }
}
