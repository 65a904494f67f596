package dev.berth.cli.controlplane;

import dev.berth.cli.options.FlagChecks;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `berth server`: the control plane alone; several may share one etcd.
@Command(
    name = "server",
    description =
        "Start a control plane without a node. Several servers can share one etcd cluster.",
    sortOptions = false,
    abbreviateSynopsis = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  berth server",
      "  berth server --store etcd --etcd-servers http://10.0.0.1:2379,http://10.0.0.2:2379"
    })
public final class ServerCommand implements Callable<Integer>, FlagChecks {
  @Spec private CommandSpec spec;
  @Mixin private ServerFlags flags;

  @Override
  public List<String> mistakes() {
    return flags.mistakes();
  }

  @Override
  public Integer call() throws InterruptedException {
    return ControlPlaneRun.run(flags.config(), flags.verbosity(), spec.commandLine().getOut());
  }
}
