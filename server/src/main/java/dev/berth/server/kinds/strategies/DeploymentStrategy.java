package dev.berth.server.kinds.strategies;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.kinds.KindStrategy;

/// Annotations of a deployment are copied to its replica sets, so they count as a change.
public final class DeploymentStrategy implements KindStrategy {
  @Override
  public boolean changesGeneration(ObjectNode deployment, ObjectNode old) {
    return !deployment.path("spec").equals(old.path("spec"))
        || !deployment
            .path("metadata")
            .path("annotations")
            .equals(old.path("metadata").path("annotations"));
  }

  @Override
  public void prepareStatusUpdate(ObjectNode deployment, ObjectNode old) {
    CommonStrategy.keep("labels", CommonStrategy.metadata(deployment), old.path("metadata"));
  }
}
