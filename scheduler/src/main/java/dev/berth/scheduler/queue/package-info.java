/// The pods that wait for a place: which is next, which waits for what.
///
/// Uses the model only. Start with [dev.berth.scheduler.queue.SchedulingQueue].
@NullMarked
package dev.berth.scheduler.queue;

import org.jspecify.annotations.NullMarked;
