package dev.berth.cli;

import dev.berth.launch.Reports;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `berth explain pod NAME`: what each node says to a pod.
@Command(
    name = "explain",
    description = "Say for each node whether a pod fits there, and if not, why.",
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  berth explain pod web-1",
      "  berth explain pod web-1 -n team -o wide    with the free room of each node"
    })
final class ExplainCommand implements Runnable, FlagChecks {
  @Spec private CommandSpec spec;
  @Mixin private ReportFlags flags;

  @Parameters(index = "0", paramLabel = "KIND", description = "What to explain: pod.")
  private String kind = "";

  @Parameters(index = "1", paramLabel = "NAME", description = "Its name.")
  private String name = "";

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      defaultValue = "default",
      description = "Its namespace. Default: ${DEFAULT-VALUE}.")
  private String namespace = "";

  @Override
  public List<String> mistakes() {
    List<String> mistakes = new ArrayList<>(flags.mistakes());
    if (!List.of("pod", "pods", "po").contains(kind)) {
      mistakes.add("KIND=" + kind + ": must be pod");
    }
    return mistakes;
  }

  @Override
  public void run() {
    flags.print(Reports.pod(flags.kubeconfig.path(), namespace, name), spec.commandLine().getOut());
  }
}
