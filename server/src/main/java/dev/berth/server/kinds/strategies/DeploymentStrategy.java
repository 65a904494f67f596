package dev.berth.server.kinds.strategies;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.kinds.KindStrategy;

/// A change of annotations increases a Deployment's generation, because they are copied to its
/// ReplicaSets.
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
