package dev.berth.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `berth up`: everything in one process.
@Command(
    name = "up",
    description = "Start everything there is in one process, on this machine.",
    sortOptions = false,
    abbreviateSynopsis = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  berth up",
      "  berth up --data-dir /tmp/second --secure-port 0    a second one beside it"
    })
final class UpCommand implements Callable<Integer>, FlagChecks {
  @Spec private CommandSpec spec;
  @Mixin private ServerFlags flags;

  @Override
  public List<String> mistakes() {
    return flags.mistakes();
  }

  @Override
  public Integer call() throws InterruptedException {
    return ControlPlaneRun.run(flags, spec.commandLine().getOut());
  }
}
