package dev.berth.cli.runtimes;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `berth runtimes`: the runtime services of this machine's agent.
@Command(
    name = "runtimes",
    description = "Manage the runtime services of the agent on this machine.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      RuntimesListCommand.class,
      RuntimesAddCommand.class,
      RuntimesDrainCommand.class,
      RuntimesRemoveCommand.class
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  berth runtimes list",
      "  berth runtimes add container:crio:unix:///run/crio/crio.sock",
      "  berth runtimes drain crio && berth runtimes remove crio"
    })
public final class RuntimesCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }
}
