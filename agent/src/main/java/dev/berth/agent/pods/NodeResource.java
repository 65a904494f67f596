package dev.berth.agent.pods;

import dev.berth.agent.pods.config.NodeCapacity;
import dev.berth.agent.pods.config.PodAmounts;
import io.fabric8.kubernetes.api.model.Pod;

/// Something of which a node has only so much for its pods.
enum NodeResource {
  PODS("pods"),
  CPU("cpu"),
  MEMORY("memory"),
  STORAGE("ephemeral-storage");

  private final String text;

  NodeResource(String text) {
    this.text = text;
  }

  /// What a pod asks for, its overhead included; thousandths of processors.
  long of(Pod pod) {
    return switch (this) {
      case PODS -> 1;
      case CPU -> PodAmounts.cpuWithOverhead(pod);
      case MEMORY, STORAGE -> PodAmounts.request(pod, text);
    };
  }

  /// What there is; zero when nobody knows.
  long of(NodeCapacity room) {
    return switch (this) {
      case PODS -> room.pods();
      case CPU -> room.cpuMilli();
      case MEMORY -> room.memoryBytes();
      case STORAGE -> room.ephemeralStorageBytes();
    };
  }

  @Override
  public String toString() {
    return text;
  }
}
