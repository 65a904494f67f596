/// Simulated runtime services in this process, for `berth up --simulate` and `berth sim`.
///
/// Start reading at {@link dev.berth.launch.simulation.SimulatedServices}.
@NullMarked
package dev.berth.launch.simulation;

import org.jspecify.annotations.NullMarked;
