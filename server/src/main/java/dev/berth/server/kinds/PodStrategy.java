package dev.berth.server.kinds;

import com.fasterxml.jackson.databind.node.ObjectNode;

/// A pod starts Pending; its owner references are not the node agent's to change.
final class PodStrategy implements Strategy {
  @Override
  public void prepareCreate(ObjectNode pod) {
    pod.putObject("status").put("phase", "Pending");
  }

  @Override
  public void prepareStatusUpdate(ObjectNode pod, ObjectNode old) {
    CommonStrategy.keep("ownerReferences", CommonStrategy.metadata(pod), old.path("metadata"));
  }
}
