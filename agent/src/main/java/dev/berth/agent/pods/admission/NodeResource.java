package dev.berth.agent.pods.admission;

import dev.berth.agent.pods.config.ContainerCapacity;
import dev.berth.agent.pods.status.FailureReason;
import dev.berth.api.ResourceAmounts;
import dev.berth.api.pods.PodResources;
import dev.berth.api.pods.PodView;
import io.fabric8.kubernetes.api.model.Pod;

/// A resource of which a node has a limited amount for its pods.
enum NodeResource {
  PODS("pods", FailureReason.OUT_OF_PODS),
  CPU("cpu", FailureReason.OUT_OF_CPU),
  MEMORY("memory", FailureReason.OUT_OF_MEMORY),
  STORAGE("ephemeral-storage", FailureReason.OUT_OF_STORAGE);

  private final String text;
  private final FailureReason shortage;

  NodeResource(String text, FailureReason shortage) {
    this.text = text;
    this.shortage = shortage;
  }

  /// The reason with which a pod is rejected that asks for more than is free.
  FailureReason shortage() {
    return shortage;
  }

  /// What a pod requests, with its overhead; CPU in thousandths.
  long of(Pod pod) {
    return switch (this) {
      case PODS -> 1;
      case CPU -> requests(pod).orZero(text).milli();
      case MEMORY, STORAGE -> requests(pod).orZero(text).value();
    };
  }

  /// The capacity; zero when it is unknown.
  long of(ContainerCapacity room) {
    return switch (this) {
      case PODS -> room.pods();
      case CPU -> room.cpuMilli();
      case MEMORY -> room.memoryBytes();
      case STORAGE -> room.ephemeralStorageBytes();
    };
  }

  private static ResourceAmounts requests(Pod pod) {
    return PodResources.requestsWithOverhead(PodView.of(pod));
  }

  @Override
  public String toString() {
    return text;
  }
}
