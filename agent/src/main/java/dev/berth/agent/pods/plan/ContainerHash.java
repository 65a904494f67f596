package dev.berth.agent.pods.plan;

import dev.berth.agent.pods.observed.ObservedContainer;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerResizePolicy;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Compares a container instance with its specification. Of all that defines a container, only
/// image and resources can change while the pod lives.
public final class ContainerHash {
  public static final String ANNOTATION = "berth.dev/container.hash";

  public static final String RESOURCES = "berth.dev/container.resources";

  private static final List<String> RESIZED = List.of("cpu", "memory");

  private ContainerHash() {}

  public static String of(Container container) {
    String text = container.getName() + "\n" + container.getImage();
    return Integer.toHexString(text.hashCode());
  }

  /// A text that identifies the resources of a container's specification.
  public static String ofResources(Container container) {
    return ofResource(container, "cpu") + "-" + ofResource(container, "memory");
  }

  private static String ofResource(Container container, String name) {
    var resources = container.getResources();
    String text =
        resources == null
            ? ""
            : amount(resources.getRequests(), name) + "\n" + amount(resources.getLimits(), name);
    return text.isBlank() ? "0" : Integer.toHexString(text.hashCode());
  }

  private static String amount(@Nullable Map<String, Quantity> amounts, String name) {
    Quantity amount = amounts == null ? null : amounts.get(name);
    return amount == null ? "" : amount.getNumericalAmount().stripTrailingZeros().toPlainString();
  }

  /// Whether the container's resize policy asks for a restart after this change.
  static boolean needsRestart(Container container, String present, String wanted) {
    List<String> from = List.of(present.split("-", -1));
    List<String> to = List.of(wanted.split("-", -1));
    for (ContainerResizePolicy policy : container.getResizePolicy()) {
      int place = RESIZED.indexOf(policy.getResourceName());
      if ("RestartContainer".equals(policy.getRestartPolicy())
          && place >= 0
          && from.size() == to.size()
          && !from.get(place).equals(to.get(place))) {
        return true;
      }
    }
    return false;
  }

  /// A text that identifies the resources of all containers of a pod.
  static String ofResources(Pod pod) {
    String text =
        Stream.concat(
                pod.getSpec().getInitContainers().stream(), pod.getSpec().getContainers().stream())
            .map(ContainerHash::ofResources)
            .collect(Collectors.joining(" "));
    return Integer.toHexString(text.hashCode());
  }

  /// A text that identifies the resources of an instance: those of its last resize, else those it
  /// was created with.
  ///
  /// @param resized resources given after creation, by container id
  public static String present(
      ObservedContainer instance, Map<String, String> resized, String otherwise) {
    String made = instance.annotations().getOrDefault(RESOURCES, otherwise);
    return resized.getOrDefault(instance.id(), made);
  }

  /// Whether the instance was created from another definition. Unknown, thus false, for an instance
  /// of another agent.
  static boolean hasChanged(Container container, ObservedContainer instance) {
    String recorded = instance.annotations().get(ANNOTATION);
    return recorded != null && !recorded.equals(of(container));
  }
}
