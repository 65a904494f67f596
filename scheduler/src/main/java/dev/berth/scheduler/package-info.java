/// The scheduler: finds a node for every waiting pod and binds the pod, or reports why there is
/// none.
///
/// Knows a client, never the server. Start with [dev.berth.scheduler.Scheduler#scheduleOne];
/// [dev.berth.scheduler.RunningScheduler] starts everything.
@NullMarked
package dev.berth.scheduler;

import org.jspecify.annotations.NullMarked;
