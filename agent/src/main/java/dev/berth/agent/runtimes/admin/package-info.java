/// Runtime services registered while the agent runs: a directory that is watched, and a socket for
/// `berth runtimes`.
///
/// Start with [dev.berth.agent.runtimes.admin.NodeRuntimes], which puts everything together.
@NullMarked
package dev.berth.agent.runtimes.admin;

import org.jspecify.annotations.NullMarked;
