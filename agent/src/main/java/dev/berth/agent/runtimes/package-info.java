/// The runtime services of this node, and the only place that chooses one for a pod.
///
/// Start with [dev.berth.agent.runtimes.RuntimeServices], what the rest of the agent sees, and
/// [dev.berth.agent.runtimes.registry.RuntimeRegistry], which is behind it; `ServicePlacement`
/// holds the rules of the choice. A pod is bound once, and keeps its service over restarts of agent
/// and runtime.
@NullMarked
package dev.berth.agent.runtimes;

import org.jspecify.annotations.NullMarked;
