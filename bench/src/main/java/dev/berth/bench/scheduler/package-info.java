/// How fast pods are placed.
///
/// Start with [dev.berth.bench.scheduler.SchedulerBench].
@NullMarked
package dev.berth.bench.scheduler;

import org.jspecify.annotations.NullMarked;
