package dev.berth.scheduler.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.Map;

/// What a pod takes from a node: containers run together, init containers one after the other while
/// the sidecars started before them keep running, and the class's overhead comes on top.
///
/// @param real what the node must have free
/// @param assumedCpu for scores: containers that request nothing still use something
/// @param assumedMemory likewise
record Requests(Amounts real, long assumedCpu, long assumedMemory) {
  private static final long USUAL_CPU = 100;
  private static final long USUAL_MEMORY = 200L << 20;

  static Requests parse(JsonNode spec) {
    Amounts overhead = Amounts.parse(spec.path("overhead"));
    Amounts real = total(spec, false).plus(overhead);
    Amounts assumed = total(spec, true).plus(overhead);
    return new Requests(real, assumed.cpu(), assumed.memory());
  }

  static boolean isSidecar(JsonNode initContainer) {
    return initContainer.path("restartPolicy").asText().equals("Always");
  }

  private static Amounts total(JsonNode spec, boolean assume) {
    Amounts running = Amounts.NONE;
    for (JsonNode container : spec.path("containers")) {
      running = running.plus(of(container, assume));
    }
    if (spec.path("virtualMachine").isObject()) {
      running = running.plus(of(spec.path("virtualMachine"), assume));
    }
    Amounts sidecars = Amounts.NONE;
    Amounts starting = Amounts.NONE;
    for (JsonNode init : spec.path("initContainers")) {
      if (isSidecar(init)) {
        sidecars = sidecars.plus(of(init, assume));
        starting = starting.max(sidecars);
      } else {
        starting = starting.max(sidecars.plus(of(init, assume)));
      }
    }
    Amounts sum = running.plus(sidecars).max(starting);
    return withPodLevel(sum, Amounts.parse(spec.path("resources").path("requests")));
  }

  /// Requests of the pod as a whole count instead of the sum of its containers'.
  private static Amounts withPodLevel(Amounts sum, Amounts pod) {
    if (pod.equals(Amounts.NONE)) {
      return sum;
    }
    Map<String, Long> extended = new HashMap<>(sum.extended());
    extended.putAll(pod.extended());
    return new Amounts(
        pod.cpu() > 0 ? pod.cpu() : sum.cpu(),
        pod.memory() > 0 ? pod.memory() : sum.memory(),
        sum.storage(),
        extended);
  }

  private static Amounts of(JsonNode container, boolean assume) {
    JsonNode requests = container.path("resources").path("requests");
    Amounts amounts = Amounts.parse(requests);
    return assume
        ? new Amounts(
            requests.has("cpu") ? amounts.cpu() : USUAL_CPU,
            requests.has("memory") ? amounts.memory() : USUAL_MEMORY,
            amounts.storage(),
            amounts.extended())
        : amounts;
  }
}
