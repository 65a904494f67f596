/// The clock and timers that all simulated services of a process share.
@NullMarked
package dev.berth.sim.time;

import org.jspecify.annotations.NullMarked;
