package dev.berth.api.resources;

import com.fasterxml.jackson.databind.JsonNode;

/// What a pod asks for, and may use, in all.
///
/// Sidecars (init containers that restart always) run beside what starts after them; other init
/// containers run alone, so that the largest counts. Amounts for the whole pod take the place of
/// the sums. A virtual machine counts as a container.
public final class PodResources {
  private PodResources() {}

  /// Requests without the overhead of the runtime class.
  public static ResourceAmounts requests(JsonNode spec) {
    return total(spec, "requests");
  }

  /// Limits without the overhead of the runtime class.
  public static ResourceAmounts limits(JsonNode spec) {
    return total(spec, "limits");
  }

  /// Requests and the overhead of the runtime class.
  public static ResourceAmounts requestsWithOverhead(JsonNode spec) {
    return requests(spec).plus(ResourceAmounts.of(spec.path("overhead")));
  }

  /// Limits and the overhead of the runtime class, for what is limited at all.
  public static ResourceAmounts limitsWithOverhead(JsonNode spec) {
    ResourceAmounts limits = limits(spec);
    return limits.plus(
        ResourceAmounts.of(spec.path("overhead")).only(name -> limits.get(name) != null));
  }

  private static ResourceAmounts total(JsonNode spec, String field) {
    ResourceAmounts running = of(spec.path("virtualMachine"), field);
    for (JsonNode container : spec.path("containers")) {
      running = running.plus(of(container, field));
    }
    ResourceAmounts sidecars = ResourceAmounts.NONE;
    ResourceAmounts starting = ResourceAmounts.NONE;
    for (JsonNode container : spec.path("initContainers")) {
      ResourceAmounts own = of(container, field);
      if (container.path("restartPolicy").asText().equals("Always")) {
        running = running.plus(own);
        sidecars = sidecars.plus(own);
        starting = starting.max(sidecars);
      } else {
        starting = starting.max(own.plus(sidecars));
      }
    }
    return running
        .max(starting)
        .with(ResourceAmounts.of(spec.path("resources").path(field)).only(PodResources::isForPods));
  }

  private static ResourceAmounts of(JsonNode container, String field) {
    return ResourceAmounts.of(container.path("resources").path(field));
  }

  /// Whether it can be asked for the pod as a whole.
  private static boolean isForPods(String name) {
    return name.equals("cpu") || name.equals("memory") || name.startsWith("hugepages-");
  }
}
