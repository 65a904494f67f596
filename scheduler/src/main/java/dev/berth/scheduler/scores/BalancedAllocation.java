package dev.berth.scheduler.scores;

import dev.berth.scheduler.cluster.NodeState;
import dev.berth.scheduler.model.PodInfo;
import dev.berth.scheduler.model.ResourceVector;

/// Prefers nodes whose CPU and memory would be used in equal fractions, so that neither remains
/// unusable.
///
/// Half the difference is the standard deviation of two values, as upstream computes it.
final class BalancedAllocation implements AllocationScore {
  @Override
  public double score(PodInfo pod, NodeState node, String handler) {
    ResourceVector all = node.info().traits().allocatable();
    double cpu = Math.min(1, UsedShare.of(node.use().cpu() + pod.assumedCpu(), all.cpu()));
    double memory =
        Math.min(1, UsedShare.of(node.use().memory() + pod.assumedMemory(), all.memory()));
    return 100 * (1 - Math.abs(cpu - memory) / 2);
  }
}
