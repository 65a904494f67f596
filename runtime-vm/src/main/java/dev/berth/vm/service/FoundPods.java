package dev.berth.vm.service;

import dev.berth.cri.serving.CallRefusal;
import dev.berth.vm.pods.LiveContainer;
import dev.berth.vm.pods.LivePod;
import dev.berth.vm.pods.PodInventory;
import dev.berth.vm.pods.PodViews;
import java.util.Optional;
import java.util.function.Supplier;

/// Finds what a request names, with the words that containerd has for each call.
final class FoundPods {
  private final PodInventory inventory;

  FoundPods(PodInventory inventory) {
    this.inventory = inventory;
  }

  PodInventory inventory() {
    return inventory;
  }

  /// Finds a sandbox, or fails in the context of a call.
  LivePod pod(String id, String context) {
    return in(context, () -> inventory.pod(id));
  }

  LiveContainer container(String id, String context) {
    return in(context, () -> inventory.container(id));
  }

  LiveContainer container(String id) {
    return container(id, "an error occurred when try to find container \"%s\"".formatted(id));
  }

  Optional<LiveContainer> lookUpContainer(String id) {
    return in(
        "an error occurred when try to find container \"%s\"".formatted(id),
        () -> inventory.lookUpContainer(id));
  }

  Optional<LivePod> lookUpPod(String id) {
    return in(
        "an error occurred when try to find sandbox \"%s\"".formatted(id),
        () -> inventory.lookUpPod(id));
  }

  /// Finds a container, which must run.
  LiveContainer running(String id, String context) {
    LiveContainer container = container(id, context);
    if (!container.record().isRunning()) {
      throw CallRefusal.unknown(
          "container is in %s state".formatted(PodViews.state(container.record())));
    }
    return container;
  }

  private static <T> T in(String context, Supplier<T> lookUp) {
    try {
      return lookUp.get();
    } catch (CallRefusal e) {
      throw e.in(context);
    }
  }
}
