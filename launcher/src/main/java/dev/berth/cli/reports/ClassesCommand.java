package dev.berth.cli.reports;

import dev.berth.cli.options.FlagChecks;
import dev.berth.cli.options.ReportFlags;
import dev.berth.launch.reports.CommandReport;
import dev.berth.launch.reports.SchedulingReports;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `berth classes` and `berth classes nodes NAME`: where RuntimeClasses can be used.
@Command(
    name = "classes",
    description =
        "List RuntimeClasses and how many nodes offer them, or the nodes of one RuntimeClass.",
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  berth classes -o wide",
      "  berth classes nodes gvisor    the nodes of one class, with their state and free resources"
    })
public final class ClassesCommand implements Runnable, FlagChecks {
  @Spec private CommandSpec spec;
  @Mixin private ReportFlags flags;

  @Parameters(
      arity = "0..2",
      paramLabel = "nodes NAME",
      description = "Show the nodes of the RuntimeClass NAME.")
  private List<String> words = new ArrayList<>();

  @Override
  public List<String> mistakes() {
    List<String> mistakes = new ArrayList<>(flags.mistakes());
    if (!words.isEmpty() && !(words.size() == 2 && words.getFirst().equals("nodes"))) {
      mistakes.add(String.join(" ", words) + ": must be `nodes NAME`");
    }
    return mistakes;
  }

  @Override
  public void run() {
    CommandReport report =
        words.isEmpty()
            ? SchedulingReports.classes(flags.kubeconfig.path())
            : SchedulingReports.nodesOfClass(flags.kubeconfig.path(), words.get(1));
    flags.print(report, spec.commandLine().getOut());
  }
}
