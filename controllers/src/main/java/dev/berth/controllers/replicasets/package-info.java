/// ReplicaSets: as many pods of a template as are wanted.
///
/// Uses the workloads package. Start with [dev.berth.controllers.replicasets.ReplicaSets].
@NullMarked
package dev.berth.controllers.replicasets;

import org.jspecify.annotations.NullMarked;
