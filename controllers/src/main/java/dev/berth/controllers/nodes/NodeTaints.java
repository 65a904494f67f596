package dev.berth.controllers.nodes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;

/// The taints that follow from a node's conditions, as upstream's node lifecycle controller has
/// them; pure. Only `NoExecute` taints have a time, because tolerations with seconds count from it.
///
/// The scheduler looks at taints and not at conditions, and `NoExecute` evicts: these taints are
/// how a sick node loses its pods.
final class NodeTaints {
  private static final String PREFIX = "node.kubernetes.io/";
  private static final String NOT_READY = PREFIX + "not-ready";
  private static final String UNREACHABLE = PREFIX + "unreachable";
  private static final Map<String, String> PRESSURES =
      Map.of(
          "MemoryPressure", PREFIX + "memory-pressure",
          "DiskPressure", PREFIX + "disk-pressure",
          "PIDPressure", PREFIX + "pid-pressure",
          "NetworkUnavailable", PREFIX + "network-unavailable");

  private NodeTaints() {}

  /// The desired taints of the node; other taints are kept.
  static ArrayNode of(JsonNode node, Instant now) {
    Map<String, String> wanted = wanted(node);
    ArrayNode taints = JsonNodeFactory.instance.arrayNode();
    for (JsonNode taint : node.path("spec").path("taints")) {
      String id = id(taint.path("key").asText(), taint.path("effect").asText());
      // A present taint stays as it is: its `timeAdded` decides when pods are evicted.
      if (!isOurs(taint) || wanted.containsKey(id)) {
        taints.add(taint);
        wanted.remove(id);
      }
    }
    wanted.forEach(
        (id, key) -> {
          String effect = id.substring(id.indexOf(' ') + 1);
          ObjectNode taint = taints.addObject().put("key", key).put("effect", effect);
          if (effect.equals("NoExecute")) {
            taint.put("timeAdded", now.truncatedTo(ChronoUnit.SECONDS).toString());
          }
        });
    return taints;
  }

  /// The keys of the desired taints, by key and effect.
  private static Map<String, String> wanted(JsonNode node) {
    Map<String, String> wanted = new LinkedHashMap<>();
    String ready = "";
    for (JsonNode condition : node.path("status").path("conditions")) {
      String type = condition.path("type").asText();
      String status = condition.path("status").asText();
      if (type.equals("Ready")) {
        ready = status;
      } else if (status.equals("True") && PRESSURES.containsKey(type)) {
        add(wanted, PRESSURES.getOrDefault(type, ""), "NoSchedule");
      }
    }
    if (ready.isEmpty()) {
      // The node has just registered, with a taint; it reports in time or becomes Unknown.
      keepNew(node, wanted);
    } else if (!ready.equals("True")) {
      String key = ready.equals("False") ? NOT_READY : UNREACHABLE;
      add(wanted, key, "NoSchedule");
      add(wanted, key, "NoExecute");
    }
    if (node.path("spec").path("unschedulable").asBoolean()) {
      add(wanted, PREFIX + "unschedulable", "NoSchedule");
    }
    return wanted;
  }

  /// Keeps the taint of a node without a Ready condition: it has just registered with it.
  private static void keepNew(JsonNode node, Map<String, String> wanted) {
    for (JsonNode taint : node.path("spec").path("taints")) {
      if (taint.path("key").asText().equals(NOT_READY)) {
        add(wanted, NOT_READY, taint.path("effect").asText());
      }
    }
  }

  private static void add(Map<String, String> wanted, String key, String effect) {
    wanted.put(id(key, effect), key);
  }

  private static String id(String key, String effect) {
    return key + " " + effect;
  }

  private static boolean isOurs(JsonNode taint) {
    String key = taint.path("key").asText();
    return key.equals(NOT_READY)
        || key.equals(UNREACHABLE)
        || key.equals(PREFIX + "unschedulable")
        || PRESSURES.containsValue(key);
  }
}
