/// Time as the simulator sees it: a clock and calls in the future, shared by all simulated
/// services.
@NullMarked
package dev.berth.sim.time;

import org.jspecify.annotations.NullMarked;
