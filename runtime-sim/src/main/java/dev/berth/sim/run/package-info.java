/// Starts and stops several simulated services with their admin endpoints together. Start at
/// `SimulatorGroup`.
@NullMarked
package dev.berth.sim.run;

import org.jspecify.annotations.NullMarked;
