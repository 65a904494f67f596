package dev.berth.cli.rehearsal;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `berth rehearse`: plays a change of a cluster on simulated nodes.
@Command(
    name = "rehearse",
    description = "Play a change of a cluster on simulated nodes, in a temporary cluster.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = WindowsUpgradeCommand.class,
    footerHeading = "%nExample:%n",
    footer = "  berth rehearse windows-upgrade")
public final class RehearseCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }
}
