/// The choice of a node: filters and scores over the cluster, by shape where nodes are alike, node
/// by node where they are not.
///
/// Uses the model, the cluster, filters and scores. Start with
/// [dev.berth.scheduler.placement.NodePlacer].
@NullMarked
package dev.berth.scheduler.placement;

import org.jspecify.annotations.NullMarked;
