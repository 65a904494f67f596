package dev.berth.scheduler.scores;

import dev.berth.scheduler.cluster.ClusterState;
import dev.berth.scheduler.cluster.NodeState;
import dev.berth.scheduler.model.PodInfo;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// A preference about where other pods are: looks at the whole cluster once per pod, compares the
/// nodes that fit.
interface PodAffinityScore {
  ToDoubleFunction<NodeState> prepare(PodInfo pod, List<NodeState> fitting, ClusterState cluster);
}
