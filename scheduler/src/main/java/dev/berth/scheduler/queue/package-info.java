/// The pods that wait for a node: their order, their back-off, and the events that wake them.
///
/// Uses the model only. Start with [dev.berth.scheduler.queue.SchedulingQueue].
@NullMarked
package dev.berth.scheduler.queue;

import org.jspecify.annotations.NullMarked;
