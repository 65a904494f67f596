/// The registered runtime services: added, drained and removed while the agent runs; and the
/// binding of each pod to one of them.
///
/// Start with [dev.berth.agent.runtimes.registry.RuntimeRegistry]; `ServicePlacement` holds the
/// rules of the choice.
@NullMarked
package dev.berth.agent.runtimes.registry;

import org.jspecify.annotations.NullMarked;
