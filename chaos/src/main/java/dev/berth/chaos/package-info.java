/// The chaos test of a whole system: real processes, seeded faults, and checks of invariants.
///
/// Start at {@link dev.berth.chaos.ChaosCommand}; `./dev chaos` runs it, and docs/chaos.md
/// describes it.
@NullMarked
package dev.berth.chaos;

import org.jspecify.annotations.NullMarked;
