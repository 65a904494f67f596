package dev.berth.scheduler.scores;

import dev.berth.scheduler.cluster.ClusterState;
import dev.berth.scheduler.cluster.NodeState;
import dev.berth.scheduler.model.PodInfo;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// A score that depends on other pods: it reads the whole cluster once for a pod, then compares the
/// feasible nodes.
interface PodAffinityScore {
  ToDoubleFunction<NodeState> prepare(PodInfo pod, List<NodeState> fitting, ClusterState cluster);
}
