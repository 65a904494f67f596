/// What a simulated runtime claims to be: system, handlers, and how much of the contract it has.
/// Start at `SimProfile`.
@NullMarked
package dev.berth.sim.profile;

import org.jspecify.annotations.NullMarked;
