package dev.berth.scheduler.scores;

import dev.berth.scheduler.cluster.NodeState;
import dev.berth.scheduler.model.PodInfo;
import dev.berth.scheduler.model.ResourceVector;

/// Prefers emptier nodes. The score is not cut at zero, so that it orders the nodes of a shape by
/// their load for any pod.
final class LeastAllocated implements AllocationScore {
  @Override
  public double score(PodInfo pod, NodeState node, String handler) {
    ResourceVector all = node.info().traits().allocatable();
    double taken =
        UsedShare.of(node.use().cpu(), all.cpu())
            + UsedShare.of(node.use().memory(), all.memory())
            + UsedShare.of(pod.assumedCpu(), all.cpu())
            + UsedShare.of(pod.assumedMemory(), all.memory());
    return 100 * (1 - taken / 2);
  }

  @Override
  public double bestFrom(PodInfo pod, NodeState node, String handler) {
    return score(pod, node, handler);
  }
}
