/// What can be set about a simulated service while it runs: faults, ends of containers, the speed
/// of pulls, events, conditions, handlers. Start at `ServiceKnobs`.
@NullMarked
package dev.berth.sim.knobs;

import org.jspecify.annotations.NullMarked;
