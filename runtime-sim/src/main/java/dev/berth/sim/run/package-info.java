/// Several simulated services with their admin endpoints as one thing that runs. Start at
/// `SimulatorGroup`.
@NullMarked
package dev.berth.sim.run;

import org.jspecify.annotations.NullMarked;
