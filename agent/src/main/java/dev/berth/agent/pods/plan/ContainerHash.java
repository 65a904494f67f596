package dev.berth.agent.pods.plan;

import dev.berth.agent.pods.observed.ObservedContainer;
import io.fabric8.kubernetes.api.model.Container;
import java.util.Optional;

/// Tells whether a running container is still the one that its pod's specification wants; of what
/// makes a container, only the image can change while the pod lives.
public final class ContainerHash {
  public static final String ANNOTATION = "berth.dev/container.hash";

  private ContainerHash() {}

  public static String of(Container container) {
    String text = container.getName() + "\n" + container.getImage();
    return Integer.toHexString(text.hashCode());
  }

  /// With which hash the instance was made; empty when another agent made it.
  static Optional<String> recorded(ObservedContainer instance) {
    return Optional.ofNullable(instance.annotations().get(ANNOTATION));
  }
}
