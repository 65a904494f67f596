/// A node's agent: its configuration record, how it is put together inside `berth up` and as a
/// process of its own, and what `berth down` removes of it.
///
/// It does not know the control plane. Start reading at {@link
/// dev.berth.launch.agent.RunningAgent}.
@NullMarked
package dev.berth.launch.agent;

import org.jspecify.annotations.NullMarked;
