/// Signals and waits that threads of the agent share.
///
/// Start with [dev.berth.agent.timing.WakeSignal].
@NullMarked
package dev.berth.agent.timing;

import org.jspecify.annotations.NullMarked;
