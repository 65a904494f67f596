/// The command line: the entry point and the root command here, the other commands in a package per
/// group, and in `options` the flags they share.
///
/// It turns arguments into a {@link dev.berth.launch.controlplane.LaunchConfig} or a {@link
/// dev.berth.launch.agent.AgentConfig} and prints; it starts nothing itself. Start reading at
/// {@link dev.berth.cli.Main}.
@NullMarked
package dev.berth.cli;

import org.jspecify.annotations.NullMarked;
