package dev.berth.agent.pods.plan;

import dev.berth.agent.pods.observed.ObservedContainer;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Tells whether a running container is still the one that its pod's specification wants; of what
/// makes a container, only the image can change while the pod lives.
public final class ContainerHash {
  public static final String ANNOTATION = "berth.dev/container.hash";

  public static final String RESOURCES = "berth.dev/container.resources";

  private ContainerHash() {}

  public static String of(Container container) {
    String text = container.getName() + "\n" + container.getImage();
    return Integer.toHexString(text.hashCode());
  }

  /// Stands for the resources that a container is to have.
  public static String ofResources(Container container) {
    var resources = container.getResources();
    String text =
        resources == null
            ? ""
            : sorted(resources.getRequests()) + "\n" + sorted(resources.getLimits());
    return Integer.toHexString(text.hashCode());
  }

  /// Stands for the resources of all containers of a pod.
  static String ofResources(Pod pod) {
    String text =
        Stream.concat(
                pod.getSpec().getInitContainers().stream(), pod.getSpec().getContainers().stream())
            .map(ContainerHash::ofResources)
            .collect(Collectors.joining(" "));
    return Integer.toHexString(text.hashCode());
  }

  private static String sorted(@Nullable Map<String, Quantity> amounts) {
    return amounts == null ? "{}" : new TreeMap<>(amounts).toString();
  }

  /// The resources with which the instance was made; empty when another agent made it.
  static Optional<String> recordedResources(ObservedContainer instance) {
    return Optional.ofNullable(instance.annotations().get(RESOURCES));
  }

  /// With which hash the instance was made; empty when another agent made it.
  static Optional<String> recorded(ObservedContainer instance) {
    return Optional.ofNullable(instance.annotations().get(ANNOTATION));
  }
}
