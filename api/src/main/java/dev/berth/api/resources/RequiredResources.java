package dev.berth.api.resources;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.api.ResourceAmounts;
import dev.berth.api.pods.PodWorkload;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// The resources that every container of a pod must request or limit because a quota counts them. A
/// container without the value would use an amount that the quota cannot see.
public final class RequiredResources {
  private static final Set<String> REQUIRED =
      Set.of("cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory");

  private RequiredResources() {}

  /// Finds containers without a request or limit that the quota counts.
  ///
  /// @param counted the resources that the quota counts
  /// @return what is missing, in upstream's text; empty when nothing is
  public static Optional<String> missing(Set<String> counted, JsonNode podSpec) {
    Set<String> required = new TreeSet<>(counted);
    required.retainAll(REQUIRED);
    // Resources of the pod as a whole cover all of its containers (KEP-2837).
    required.removeAll(names(podSpec));
    if (required.isEmpty()) {
      return Optional.empty();
    }
    Map<String, Set<String>> containers = new TreeMap<>();
    podSpec.path("containers").forEach(one -> missing(required, one, containers));
    podSpec.path("initContainers").forEach(one -> missing(required, one, containers));
    PodWorkload.in(podSpec).forEach(one -> missing(required, one.tree(), containers));
    return containers.isEmpty()
        ? Optional.empty()
        : Optional.of(
            containers.entrySet().stream()
                .map(entry -> entry.getKey() + " for: " + String.join(",", entry.getValue()))
                .collect(Collectors.joining("; ", "must specify ", "")));
  }

  private static void missing(
      Set<String> required, JsonNode container, Map<String, Set<String>> containers) {
    Set<String> named = names(container);
    for (String name : required) {
      if (!named.contains(name)) {
        containers.computeIfAbsent(name, _ -> new TreeSet<>()).add(container.path("name").asText());
      }
    }
  }

  private static Set<String> names(JsonNode owner) {
    JsonNode resources = owner.path("resources");
    return ObjectUsage.compute(
            ResourceAmounts.of(resources.path("requests")),
            ResourceAmounts.of(resources.path("limits")))
        .keySet();
  }
}
