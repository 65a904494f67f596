package dev.berth.cli.reports;

import dev.berth.cli.options.FlagChecks;
import dev.berth.cli.options.ReportFlags;
import dev.berth.launch.reports.NodeListing;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `berth nodes`: systems, runtime services and handlers of nodes.
@Command(
    name = "nodes",
    description = "List nodes with their operating system, runtime services and handlers.",
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {"  berth nodes", "  berth nodes -o wide    with architecture, kernel and version"})
public final class NodesCommand implements Runnable, FlagChecks {
  @Spec private CommandSpec spec;
  @Mixin private ReportFlags flags;

  @Override
  public List<String> mistakes() {
    return flags.mistakes();
  }

  @Override
  public void run() {
    flags.print(NodeListing.read(flags.kubeconfig.path()), spec.commandLine().getOut());
  }
}
