/// Asks containers how they are.
///
/// Start with [dev.berth.agent.probes.Probes].
@NullMarked
package dev.berth.agent.probes;

import org.jspecify.annotations.NullMarked;
