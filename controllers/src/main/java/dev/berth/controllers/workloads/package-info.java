/// What the workload controllers share: the cache of pods, adoption and release, and the creation
/// and deletion of pods with expectations, so that neither happens twice.
///
/// Uses the client. Start with [dev.berth.controllers.workloads.PodCache] and
/// [dev.berth.controllers.workloads.ControllerExpectations].
@NullMarked
package dev.berth.controllers.workloads;

import org.jspecify.annotations.NullMarked;
