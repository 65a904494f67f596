package dev.berth.agent.pods.plan;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.agent.pods.observed.ObservedContainer;
import io.fabric8.kubernetes.api.model.Container;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Which containers that ended are followed by another one whatever the policy, because their
/// definition changed, and how those are counted whose predecessors are no longer there. The
/// instance itself says by which definition it was made, so that another agent may go on between
/// its end and the next start.
///
/// @param counted how often each container was told to have been started again
/// @param ended the ids of containers that were told as ended: that is final, and the API server
///   accepts nothing else
public record RestartCounts(Map<String, Integer> counted, Set<String> ended) {
  public static final RestartCounts OF_ALL = new RestartCounts(Map.of(), Set.of());

  private static final List<String> SORTS =
      List.of("containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses");

  public RestartCounts {
    counted = Map.copyOf(counted);
    ended = Set.copyOf(ended);
  }

  /// Those of a pod of which that was told.
  ///
  /// @param told the status of the pod that was told last
  public static RestartCounts after(JsonNode told) {
    Set<String> ended = new HashSet<>();
    for (JsonNode status : told.path("containerStatuses")) {
      String id = status.at("/state/terminated/containerID").asText();
      ended.add(id.substring(id.lastIndexOf('/') + 1));
    }
    Map<String, Integer> counted = new HashMap<>();
    for (String sort : SORTS) {
      for (JsonNode status : told.path(sort)) {
        if (status.has("containerID")) {
          counted.put(status.path("name").asText(), status.path("restartCount").asInt());
        }
      }
    }
    return new RestartCounts(counted, ended);
  }

  /// The number of the next instance when there is none: somebody may have removed the others
  /// behind the agent's back.
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
