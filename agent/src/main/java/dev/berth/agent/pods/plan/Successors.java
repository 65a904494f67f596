package dev.berth.agent.pods.plan;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.agent.pods.observed.ObservedContainer;
import io.fabric8.kubernetes.api.model.Container;
import java.util.HashSet;
import java.util.Set;

/// Which containers that ended are followed by another one whatever the policy, because their
/// definition changed. The instance itself says by which it was made, so that another agent may go
/// on between its end and the next start.
///
/// @param ended the ids of containers that were told as ended: that is final, and the API server
///   accepts nothing else
public record Successors(Set<String> ended) {
  public static final Successors OF_ALL = new Successors(Set.of());

  public Successors {
    ended = Set.copyOf(ended);
  }

  /// Those of a pod of which that was told.
  ///
  /// @param told the status of the pod that was told last
  public static Successors after(JsonNode told) {
    Set<String> ended = new HashSet<>();
    for (JsonNode status : told.path("containerStatuses")) {
      String id = status.at("/state/terminated/containerID").asText();
      ended.add(id.substring(id.lastIndexOf('/') + 1));
    }
    return new Successors(ended);
  }

  public boolean includes(Container container, ObservedContainer instance) {
    return instance.hasExited()
        && ContainerHash.hasChanged(container, instance)
        && !ended.contains(instance.id());
  }
}
