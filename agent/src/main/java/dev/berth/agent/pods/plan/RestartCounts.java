package dev.berth.agent.pods.plan;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.agent.pods.observed.ObservedContainer;
import io.fabric8.kubernetes.api.model.Container;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Decides which ended containers restart regardless of their policy, because their definition
/// changed, and counts restarts when earlier instances are gone. The instance records its own
/// definition, so that another agent can continue between its end and the next start.
///
/// @param counted the restart count in the last status, by container
/// @param ended ids of containers that the last status shows as terminated: the API server accepts
///   no other state for them afterwards
public record RestartCounts(Map<String, Integer> counted, Set<String> ended) {
  public static final RestartCounts OF_ALL = new RestartCounts(Map.of(), Set.of());

  private static final List<String> SORTS =
      List.of("containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses");

  public RestartCounts {
    counted = Map.copyOf(counted);
    ended = Set.copyOf(ended);
  }

  /// Reads restart counts from a status.
  ///
  /// @param lastStatus the status that was written last
  public static RestartCounts after(JsonNode lastStatus) {
    Set<String> ended = new HashSet<>();
    for (JsonNode status : lastStatus.path("containerStatuses")) {
      String id = status.at("/state/terminated/containerID").asText();
      ended.add(id.substring(id.lastIndexOf('/') + 1));
    }
    Map<String, Integer> counted = new HashMap<>();
    for (String sort : SORTS) {
      for (JsonNode status : lastStatus.path(sort)) {
        if (status.has("containerID")) {
          counted.put(status.path("name").asText(), status.path("restartCount").asInt());
        }
      }
    }
    return new RestartCounts(counted, ended);
  }

  /// The number of the next instance when none is left: something else may have removed the earlier
  /// ones.
  int numberAfterNone(String container) {
    Integer last = counted.get(container);
    return last == null ? 0 : last + 1;
  }

  public boolean includes(Container container, ObservedContainer instance) {
    return instance.hasExited()
        && ContainerHash.hasChanged(container, instance)
        && !ended.contains(instance.id());
  }
}
