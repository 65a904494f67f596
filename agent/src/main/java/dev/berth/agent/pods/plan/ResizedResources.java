package dev.berth.agent.pods.plan;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Resources that were given after a sandbox or container was made.
///
/// @param containers by the containers' ids
/// @param pod of the pod as a whole; null when they are those the sandbox was made with
public record ResizedResources(Map<String, String> containers, @Nullable String pod) {
  public static final ResizedResources NONE = new ResizedResources(Map.of(), null);

  public ResizedResources {
    containers = Map.copyOf(containers);
  }
}
