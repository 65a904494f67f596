/// The command line: one class per command, the flags they share, and how mistakes are told.
///
/// It turns words into a {@link dev.berth.launch.controlplane.LaunchConfig} and prints; it starts
/// nothing itself. Start reading at {@link dev.berth.cli.Main}.
@NullMarked
package dev.berth.cli;

import org.jspecify.annotations.NullMarked;
