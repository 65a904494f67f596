package dev.berth.scheduler.scores;

import dev.berth.scheduler.cluster.ClusterState;
import dev.berth.scheduler.model.NodeInfo;
import dev.berth.scheduler.model.PodRequirements;

/// A score of static properties of a node; computed once for all nodes of a shape.
interface TraitScore {
  double score(PodRequirements needs, NodeInfo node, ClusterState cluster);
}
