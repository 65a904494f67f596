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
}
