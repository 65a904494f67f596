package dev.berth.scheduler.scores;

import dev.berth.scheduler.cluster.NodeState;
import dev.berth.scheduler.model.Amounts;
import dev.berth.scheduler.model.PodInfo;

/// Emptier nodes first. Not cut at zero: then it orders nodes of a shape as their load does,
/// whatever the pod.
final class LeastAllocated implements NodeScore {
  @Override
  public double score(PodInfo pod, NodeState node, String handler) {
    Amounts all = node.info().traits().allocatable();
    double taken =
        Shares.of(node.use().cpu(), all.cpu())
            + Shares.of(node.use().memory(), all.memory())
            + Shares.of(pod.assumedCpu(), all.cpu())
            + Shares.of(pod.assumedMemory(), all.memory());
    return 100 * (1 - taken / 2);
  }
}
