package dev.berth.scheduler.scores;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.model.NodeInfo;
import dev.berth.scheduler.model.PodNeeds;

/// A preference about what is fixed about a node; asked once for all nodes of a shape.
interface TraitScore {
  double score(PodNeeds needs, NodeInfo node, Cluster cluster);
}
