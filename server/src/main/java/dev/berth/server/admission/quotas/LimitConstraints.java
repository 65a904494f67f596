package dev.berth.server.admission.quotas;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.api.Quantity;
import dev.berth.api.ResourceAmounts;
import dev.berth.api.pods.PodResources;
import dev.berth.api.pods.PodView;
import dev.berth.api.pods.PodWorkload;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// Checks an object against one LimitRange, with upstream's messages.
///
/// All violations are collected, each once, because a pod with many containers would otherwise
/// repeat a text.
final class LimitConstraints {
  private final List<String> problems = new ArrayList<>();

  private LimitConstraints() {}

  /// Checks the containers and the pod as a whole. Pod overhead does not count, as upstream has it.
  static List<String> ofPod(JsonNode limitRange, JsonNode spec) {
    LimitConstraints constraints = new LimitConstraints();
    for (JsonNode item : limitRange.path("spec").path("limits")) {
      switch (item.path("type").asText()) {
        case "Container" -> constraints.containers(item, spec);
        case "Pod" ->
            constraints.check(
                item,
                "Pod",
                PodResources.requests(PodView.of(spec)),
                PodResources.limits(PodView.of(spec)));
        default -> {
          // The limit type concerns other objects.
        }
      }
    }
    return constraints.problems;
  }

  private void containers(JsonNode item, JsonNode spec) {
    for (JsonNode container : spec.path("containers")) {
      container(item, container);
    }
    for (JsonNode container : spec.path("initContainers")) {
      container(item, container);
    }
    PodWorkload.in(spec).forEach(one -> container(item, one.tree()));
  }

  private void container(JsonNode item, JsonNode container) {
    JsonNode resources = container.path("resources");
    check(
        item,
        "Container",
        ResourceAmounts.of(resources.path("requests")),
        ResourceAmounts.of(resources.path("limits")));
  }

  private void check(JsonNode item, String type, ResourceAmounts requests, ResourceAmounts limits) {
    each(item, "min", (name, least) -> minimum(type, name, least, requests, limits));
    each(item, "max", (name, most) -> maximum(type, name, most, requests, limits));
    each(item, "maxLimitRequestRatio", (name, most) -> ratio(type, name, most, requests, limits));
  }

  static List<String> ofClaim(JsonNode limitRange, JsonNode spec) {
    LimitConstraints constraints = new LimitConstraints();
    String type = "PersistentVolumeClaim";
    ResourceAmounts requests = ResourceAmounts.of(spec.path("resources").path("requests"));
    for (JsonNode item : limitRange.path("spec").path("limits")) {
      if (item.path("type").asText().equals(type)) {
        constraints.each(
            item,
            "min",
            (name, least) -> minimum(type, name, least, requests, ResourceAmounts.NONE));
        constraints.each(item, "max", (name, most) -> largestRequest(type, name, most, requests));
      }
    }
    return constraints.problems;
  }

  private void each(
      JsonNode item, String field, BiFunction<String, Quantity, @Nullable String> rule) {
    ResourceAmounts.of(item.path(field))
        .asMap()
        .forEach(
            (name, amount) -> {
              @Nullable String problem = rule.apply(name, amount);
              if (problem != null && !problems.contains(problem)) {
                problems.add(problem);
              }
            });
  }

  private static @Nullable String minimum(
      String type, String name, Quantity least, ResourceAmounts requests, ResourceAmounts limits) {
    String bound = "minimum %s usage per %s is %s".formatted(name, type, least);
    Quantity request = requests.get(name);
    Quantity limit = limits.get(name);
    if (request == null) {
      return bound + ".  No request is specified";
    }
    if (request.compareTo(least) < 0) {
      return bound + ", but request is " + request;
    }
    return limit != null && limit.compareTo(least) < 0 ? bound + ", but limit is " + limit : null;
  }

  private static @Nullable String maximum(
      String type, String name, Quantity most, ResourceAmounts requests, ResourceAmounts limits) {
    String bound = "maximum %s usage per %s is %s".formatted(name, type, most);
    Quantity request = requests.get(name);
    Quantity limit = limits.get(name);
    if (limit == null) {
      return bound + ".  No limit is specified";
    }
    if (limit.compareTo(most) > 0) {
      return bound + ", but limit is " + limit;
    }
    return request != null && request.compareTo(most) > 0
        ? bound + ", but request is " + request
        : null;
  }

  private static @Nullable String largestRequest(
      String type, String name, Quantity most, ResourceAmounts requests) {
    String bound = "maximum %s usage per %s is %s".formatted(name, type, most);
    Quantity request = requests.get(name);
    if (request == null) {
      return bound + ".  No request is specified";
    }
    return request.compareTo(most) > 0 ? bound + ", but request is " + request : null;
  }

  private static @Nullable String ratio(
      String type, String name, Quantity most, ResourceAmounts requests, ResourceAmounts limits) {
    String bound = "%s max limit to request ratio per %s is %s".formatted(name, type, most);
    Quantity request = requests.get(name);
    Quantity limit = limits.get(name);
    if (request == null || request.signum() == 0) {
      return bound + ", but no request is specified or request is 0";
    }
    if (limit == null || limit.signum() == 0) {
      return bound + ", but no limit is specified or limit is 0";
    }
    // Floating point suffices: upstream computes the ratio in this way too, and prints it with six
    // digits.
    double ratio = limit.amount().doubleValue() / request.amount().doubleValue();
    return ratio > most.amount().doubleValue()
        ? String.format(Locale.ROOT, "%s, but provided ratio is %f", bound, ratio)
        : null;
  }
}
