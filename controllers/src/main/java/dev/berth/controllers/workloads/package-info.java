/// What the controllers of workloads share: pods as they see them, whose they are, making and
/// deleting them without doing it twice.
///
/// Uses the client. Start with [dev.berth.controllers.workloads.PodCache] and
/// [dev.berth.controllers.workloads.ControllerExpectations].
@NullMarked
package dev.berth.controllers.workloads;

import org.jspecify.annotations.NullMarked;
