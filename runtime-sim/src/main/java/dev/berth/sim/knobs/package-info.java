/// The settings of a simulated service that can change while it runs: faults, exits of containers,
/// pull speed, events, conditions and handlers. Start at `ServiceKnobs`.
@NullMarked
package dev.berth.sim.knobs;

import org.jspecify.annotations.NullMarked;
