/// The system that a simulated runtime plays: platform, handlers, and how much of CRI it
/// implements. Start at `SimProfile`.
@NullMarked
package dev.berth.sim.profile;

import org.jspecify.annotations.NullMarked;
