package dev.berth.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `berth` without a command: prints the help.
@Command(
    name = "berth",
    description = "A Kubernetes-compatible control plane for mixed runtimes.",
    synopsisSubcommandLabel = "COMMAND",
    footerHeading = "%nExamples:%n",
    footer = {
      "  berth up                    start a control plane and a node on this machine",
      "  berth up --secure-port 0    the same on any free port",
      "  berth COMMAND --help        show a command and its options"
    })
final class BerthCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }
}
