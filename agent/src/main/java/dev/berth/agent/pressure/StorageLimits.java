package dev.berth.agent.pressure;

import dev.berth.agent.pressure.PodUsage.OfContainer;
import dev.berth.api.Quantity;
import dev.berth.api.pods.ContainerView;
import dev.berth.api.pods.PodResources;
import dev.berth.api.pods.PodView;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Optional;

/// Limits of `ephemeral-storage`: writable layers, logs, and volumes that end with the pod.
public final class StorageLimits {
  private static final String RESOURCE = "ephemeral-storage";

  /// An exceeded limit.
  ///
  /// @param signal its name in metrics
  public record Excess(String signal, String message) {}

  private StorageLimits() {}

  /// Whether a pod has such limits and has to be measured.
  public static boolean has(Pod pod) {
    return limit(pod).isPresent();
  }

  /// The exceeded limit; empty when the pod keeps its limits.
  ///
  /// @param hasImageDisk whether writable layers are on another disk than the one that these limits
  ///   protect
  public static Optional<Excess> of(Pod pod, PodUsage use, boolean hasImageDisk) {
    Optional<Quantity> limit = limit(pod);
    if (limit.isPresent() && use.disk(true, true).bytes() > limit.get().value()) {
      return Optional.of(
          new Excess(
              "ephemeralpodfs.limit",
              "Pod ephemeral local storage usage exceeds the total limit of containers %s. "
                  .formatted(limit.get())));
    }
    return pod.getSpec().getContainers().stream()
        .map(container -> of(container, use, hasImageDisk))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static Optional<Quantity> limit(Pod pod) {
    return Optional.of(PodResources.limits(PodView.of(pod)).orZero(RESOURCE))
        .filter(limit -> limit.signum() > 0);
  }

  private static Optional<Excess> of(Container container, PodUsage use, boolean hasImageDisk) {
    OfContainer one = use.containers().get(container.getName());
    Quantity limit = ContainerView.of(container).limits().orZero(RESOURCE);
    if (one == null || limit.signum() == 0) {
      return Optional.empty();
    }
    long used = one.logs().bytes() + (hasImageDisk ? 0 : one.layer().bytes());
    return used > limit.value()
        ? Optional.of(
            new Excess(
                "ephemeralcontainerfs.limit",
                "Container %s exceeded its local ephemeral storage limit \"%s\". "
                    .formatted(container.getName(), limit)))
        : Optional.empty();
  }
}
