/// The scheduler: finds a node for every pod that waits, binds it, and says why when there is none.
///
/// Knows a client, never the server. Start with [dev.berth.scheduler.Scheduler#scheduleOne];
/// [dev.berth.scheduler.RunningScheduler] starts everything.
@NullMarked
package dev.berth.scheduler;

import org.jspecify.annotations.NullMarked;
