package dev.berth.cli.reports;

import dev.berth.cli.options.FlagChecks;
import dev.berth.cli.options.ReportFlags;
import dev.berth.launch.reports.SchedulingReports;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `berth explain pod NAME`: for each node whether the pod fits.
@Command(
    name = "explain",
    description = "Show for each node whether a pod fits, and if not, why.",
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  berth explain pod web-1",
      "  berth explain pod web-1 -n team -o wide    with the free resources of each node"
    })
public final class ExplainCommand implements Runnable, FlagChecks {
  private static final Set<String> KINDS = Set.of("pod", "pods", "po");

  @Spec private CommandSpec spec;
  @Mixin private ReportFlags flags;

  @Parameters(
      paramLabel = "pod NAME",
      arity = "0..*",
      description = "The pod to explain; pod/NAME is accepted too.")
  private List<String> what = new ArrayList<>();

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      defaultValue = "default",
      description = "Namespace of the pod. Default: ${DEFAULT-VALUE}.")
  private String namespace = "";

  @Override
  public List<String> mistakes() {
    List<String> mistakes = new ArrayList<>(flags.mistakes());
    List<String> words = words();
    if (words.size() != 2 || !KINDS.contains(words.getFirst()) || words.getLast().isEmpty()) {
      mistakes.add(
          (what.isEmpty() ? "what to explain is missing" : String.join(" ", what))
              + ": must be `pod NAME`");
    }
    return mistakes;
  }

  private List<String> words() {
    return what.size() == 1 ? List.of(what.getFirst().split("/", 2)) : what;
  }

  @Override
  public void run() {
    flags.print(
        SchedulingReports.pod(flags.kubeconfig.path(), namespace, words().getLast()),
        spec.commandLine().getOut());
  }
}
