package dev.berth.controllers.nodes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.pods.WorkloadType;
import dev.berth.registry.placement.CandidateClass;
import dev.berth.registry.placement.NodePlatforms;
import dev.berth.registry.placement.PlatformOffers;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The runtime services of all nodes in one document, for users who may not read nodes.
///
/// Services with equal name, type, version and handlers form one entry with the list of their
/// nodes.
///
/// The order of entries and nodes is fixed, so that equal reports give equal text and no write.
final class RuntimeListing {
  static final String ANNOTATION = "berth.dev/runtime-services";
  private static final JsonMapper MAPPER = new JsonMapper();

  /// The entries by name, type, version and handlers.
  private final Map<String, ObjectNode> entries = new TreeMap<>();

  private RuntimeListing() {}

  /// The data of the ConfigMap: `services` and `platforms`, two JSON lists.
  static ObjectNode of(List<ObjectNode> nodes, List<ObjectNode> classes) {
    RuntimeListing listing = new RuntimeListing();
    nodes.stream()
        .sorted(java.util.Comparator.comparing(RuntimeListing::name))
        .forEach(listing::add);
    ArrayNode services = JsonNodeFactory.instance.arrayNode();
    listing.entries.values().forEach(services::add);
    PlatformOffers offers =
        PlatformOffers.of(
            nodes.stream().map(NodePlatforms::parse).toList(),
            classes.stream().map(CandidateClass::parse).toList());
    return JsonNodeFactory.instance
        .objectNode()
        .put("services", services.toPrettyString())
        .put("platforms", offers.toJson().toPrettyString());
  }

  private void add(ObjectNode node) {
    String version = node.at("/status/nodeInfo/containerRuntimeVersion").asText();
    for (Map.Entry<String, JsonNode> service : services(node).properties()) {
      JsonNode report = service.getValue();
      String type = WorkloadType.textOfReport(report.path("workloadType").asText(""));
      String own = versionOf(node, service.getKey(), report.path("default").asBoolean(), version);
      String id =
          String.join("\n", service.getKey(), type, own, report.path("handlers").toString());
      ObjectNode entry =
          entries.computeIfAbsent(id, _ -> entry(service.getKey(), type, own, report));
      ObjectNode where = entry.withArray("/nodes").addObject().put("name", name(node));
      where.put("ready", isReady(node, service.getKey()));
    }
  }

  private static ObjectNode entry(String name, String type, String version, JsonNode report) {
    ObjectNode entry = JsonNodeFactory.instance.objectNode();
    entry.put("name", name).put("workloadType", type).put("version", version);
    entry.set("handlers", report.path("handlers"));
    return entry;
  }

  /// The services that the node's agent wrote into its annotation. A text that is no JSON object
  /// counts as none: a kubelet has no such annotation, and an administrator may have changed it.
  private static JsonNode services(ObjectNode node) {
    try {
      String text = node.path("metadata").path("annotations").path(ANNOTATION).asText();
      JsonNode tree = MAPPER.readTree(text);
      return tree.isObject() ? tree : JsonNodeFactory.instance.objectNode();
    } catch (JsonProcessingException _) {
      return JsonNodeFactory.instance.objectNode();
    }
  }

  /// A service's condition begins with its version: `containerd://1.6.20: `.
  private static String versionOf(
      ObjectNode node, String service, boolean isDefault, String otherwise) {
    String message = condition(node, service).path("message").asText();
    int end = message.indexOf(": ");
    if (end > 0 && message.substring(0, end).contains("://")) {
      return message.substring(0, end);
    }
    return isDefault ? otherwise : "";
  }

  private static boolean isReady(ObjectNode node, String service) {
    return condition(node, service).path("status").asText().equals("True");
  }

  private static JsonNode condition(ObjectNode node, String service) {
    for (JsonNode condition : node.path("status").path("conditions")) {
      if (condition.path("type").asText().equals("RuntimeReady-" + service)) {
        return condition;
      }
    }
    return JsonNodeFactory.instance.missingNode();
  }

  private static String name(ObjectNode node) {
    return node.path("metadata").path("name").asText();
  }
}
