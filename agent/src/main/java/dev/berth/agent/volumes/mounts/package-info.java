/// What the agent mounts for volumes, with the system calls of Linux or not at all.
///
/// Start with [dev.berth.agent.volumes.mounts.AgentMounts].
@NullMarked
package dev.berth.agent.volumes.mounts;

import org.jspecify.annotations.NullMarked;
