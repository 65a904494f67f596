package dev.berth.server.kinds;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.defaults.PodCreation;

/// A pod starts Pending; its owner references are not the node agent's to change.
final class PodStrategy implements Strategy {
  @Override
  public void prepareCreate(ObjectNode pod) {
    PodCreation.prepare(pod);
  }

  @Override
  public void prepareStatusUpdate(ObjectNode pod, ObjectNode old) {
    CommonStrategy.keep("ownerReferences", CommonStrategy.metadata(pod), old.path("metadata"));
    PodCreation.prepareStatusUpdate(pod, old);
  }

  /// Whatever else the client sent along is left as it is.
  @Override
  public void prepareEphemeralContainersUpdate(ObjectNode pod, ObjectNode old) {
    ObjectNode spec = old.path("spec").deepCopy();
    CommonStrategy.keep("ephemeralContainers", spec, pod.path("spec"));
    pod.set("spec", spec);
  }
}
