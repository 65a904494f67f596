package dev.berth.agent.pods.observed;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Everything that a runtime service has of a pod at one moment, newest first.
public record ObservedPod(List<ObservedSandbox> sandboxes, List<ObservedContainer> containers) {
  public static final ObservedPod NOTHING = new ObservedPod(List.of(), List.of());

  public ObservedPod {
    sandboxes =
        sandboxes.stream()
            .sorted(
                Comparator.comparing(ObservedSandbox::createdAt)
                    .thenComparingInt(ObservedSandbox::attempt)
                    .reversed())
            .toList();
    containers =
        containers.stream()
            .sorted(
                Comparator.comparing(ObservedContainer::createdAt)
                    .thenComparingInt(ObservedContainer::attempt)
                    .reversed())
            .toList();
  }

  public boolean isEmpty() {
    return sandboxes.isEmpty() && containers.isEmpty();
  }

  public Optional<ObservedSandbox> newestSandbox() {
    return sandboxes.stream().findFirst();
  }

  /// The sandbox in which containers can be started.
  public Optional<ObservedSandbox> usableSandbox() {
    return newestSandbox().filter(ObservedSandbox::isReady);
  }

  public @Nullable ObservedContainer newest(String container) {
    return containers.stream().filter(one -> one.name().equals(container)).findFirst().orElse(null);
  }

  public @Nullable ObservedContainer newestIn(String sandboxId, String container) {
    return containers.stream()
        .filter(one -> one.name().equals(container) && one.sandboxId().equals(sandboxId))
        .findFirst()
        .orElse(null);
  }

  /// All instances of a container, newest first.
  public List<ObservedContainer> instances(String container) {
    return containers.stream().filter(one -> one.name().equals(container)).toList();
  }

  public boolean runsAnything() {
    return containers.stream().anyMatch(one -> !one.isOver());
  }
}
