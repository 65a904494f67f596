/// Asks containers how they are.
///
/// Start with [dev.berth.agent.probes.ProbeWorkers].
@NullMarked
package dev.berth.agent.probes;

import org.jspecify.annotations.NullMarked;
