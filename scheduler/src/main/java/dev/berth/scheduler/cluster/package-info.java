/// The scheduler's current view of the cluster: nodes grouped by shape and ordered by use, the pods
/// on them, classes and namespaces.
///
/// Uses the model only. Start with [dev.berth.scheduler.cluster.ClusterState].
@NullMarked
package dev.berth.scheduler.cluster;

import org.jspecify.annotations.NullMarked;
