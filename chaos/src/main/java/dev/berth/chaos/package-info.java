/// The standing attack on a whole system: real processes, seeded faults, and checks of what must
/// hold.
///
/// Start at {@link dev.berth.chaos.ChaosCommand}; `./dev chaos` runs it, and docs/chaos.md
/// describes it.
@NullMarked
package dev.berth.chaos;

import org.jspecify.annotations.NullMarked;
