package dev.berth.server.defaults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.Quantity;
import dev.berth.api.pods.PodResources;
import dev.berth.api.pods.PodView;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Rounds quantities and sets missing requests from limits.
///
/// Amounts finer than a thousandth cannot be charged or enforced; rounding up never gives less than
/// what was asked for.
public final class ResourceDefaults {
  /// Upstream rounds amounts up to thousandths.
  private static final int MILLI = 3;

  private static final List<String> WHOLE = List.of("cpu", "memory");

  private ResourceDefaults() {}

  /// Rounds `limits` and `requests` of an object up to whole thousandths.
  static void requirements(ObjectNode resources) {
    PodTree.object(resources, "limits", ResourceDefaults::roundUp);
    PodTree.object(resources, "requests", ResourceDefaults::roundUp);
  }

  /// Rounds amounts that are finer than a thousandth up.
  public static void roundUp(ObjectNode amounts) {
    List<Map.Entry<String, String>> rounded = new ArrayList<>(0);
    for (Map.Entry<String, JsonNode> amount : amounts.properties()) {
      String text = amount.getValue().asText();
      if (mayBeFine(text)) {
        milli(text).ifPresent(exact -> rounded.add(Map.entry(amount.getKey(), exact)));
      }
    }
    rounded.forEach(amount -> amounts.put(amount.getKey(), amount.getValue()));
  }

  /// Only these canonical units are finer than a thousandth.
  private static boolean mayBeFine(String text) {
    return text.endsWith("u") || text.endsWith("n") || text.contains("e-");
  }

  private static Optional<String> milli(String text) {
    return Quantity.parse(text)
        .map(fine -> fine.amount().setScale(MILLI, RoundingMode.UP).movePointRight(MILLI))
        .flatMap(amount -> Quantity.parse(amount.toBigInteger() + "m"))
        .map(Quantity::toString);
  }

  /// The default of a request is its limit.
  static void requestsFromLimits(ObjectNode owner) {
    if (!(owner.get("resources") instanceof ObjectNode resources)
        || !(resources.get("limits") instanceof ObjectNode limits)
        || limits.isEmpty()) {
      return;
    }
    ObjectNode requests =
        resources.get("requests") instanceof ObjectNode present
            ? present
            : resources.putObject("requests");
    for (Map.Entry<String, JsonNode> limit : limits.properties()) {
      if (!requests.has(limit.getKey())) {
        requests.set(limit.getKey(), limit.getValue());
      }
    }
  }

  /// Defaults of pod-level requests: the sum of the containers' requests, else the limit
  /// (KEP-2837).
  static void podRequests(ObjectNode spec) {
    if (!(spec.path("resources").get("limits") instanceof ObjectNode limits) || limits.isEmpty()) {
      return;
    }
    for (String resource : WHOLE) {
      Optional<Quantity> sum = ofContainers(spec, resource);
      JsonNode requests = spec.path("resources").path("requests");
      if (sum.isPresent() && !requests.has(resource)) {
        ((ObjectNode) spec.get("resources"))
            .withObjectProperty("requests")
            .put(resource, sum.get().toString());
      }
    }
    requestsFromLimits(spec);
  }

  /// Empty when no container requests it.
  private static Optional<Quantity> ofContainers(ObjectNode spec, String resource) {
    return Optional.of(PodResources.containerRequests(PodView.of(spec)).orZero(resource))
        .filter(sum -> sum.signum() > 0);
  }
}
