/// ReplicaSets: the desired number of pods of a template.
///
/// Uses the workloads package. Start with [dev.berth.controllers.replicasets.ReplicaSets].
@NullMarked
package dev.berth.controllers.replicasets;

import org.jspecify.annotations.NullMarked;
