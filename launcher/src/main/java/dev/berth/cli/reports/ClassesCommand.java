package dev.berth.cli.reports;

import dev.berth.cli.options.FlagChecks;
import dev.berth.cli.options.ReportFlags;
import dev.berth.launch.reports.CommandReport;
import dev.berth.launch.reports.OverheadReports;
import dev.berth.launch.reports.SchedulingReports;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `berth classes`, `berth classes nodes NAME` and `berth classes overhead NAME`: where
/// RuntimeClasses can be used, and what their sandboxes cost.
@Command(
    name = "classes",
    description =
        "List RuntimeClasses and how many nodes offer them, the nodes of one RuntimeClass, or the"
            + " overhead that its sandboxes have and the overhead to declare.",
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  berth classes -o wide",
      "  berth classes nodes gvisor    the nodes of one class, with their state and free resources",
      "  berth classes overhead vm     the measured overhead of one class, and a proposal"
    })
public final class ClassesCommand implements Runnable, FlagChecks {
  private static final List<String> SUBJECTS = List.of("nodes", "overhead");

  @Spec private CommandSpec spec;
  @Mixin private ReportFlags flags;

  @Parameters(
      arity = "0..2",
      paramLabel = "nodes|overhead NAME",
      description = "Show the nodes, or the measured overhead, of the RuntimeClass NAME.")
  private List<String> words = new ArrayList<>();

  @Override
  public List<String> mistakes() {
    List<String> mistakes = new ArrayList<>(flags.mistakes());
    if (!words.isEmpty() && !(words.size() == 2 && SUBJECTS.contains(words.getFirst()))) {
      mistakes.add(String.join(" ", words) + ": must be `nodes NAME` or `overhead NAME`");
    }
    return mistakes;
  }

  @Override
  public void run() {
    flags.print(report(flags.kubeconfig.path()), spec.commandLine().getOut());
  }

  private CommandReport report(Path kubeconfig) {
    if (words.isEmpty()) {
      return SchedulingReports.classes(kubeconfig);
    }
    return words.getFirst().equals("nodes")
        ? SchedulingReports.nodesOfClass(kubeconfig, words.get(1))
        : OverheadReports.ofClass(kubeconfig, words.get(1));
  }
}
