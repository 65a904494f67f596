package dev.berth.cli.options;

import dev.berth.launch.reports.CommandReport;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;

/// The flags of commands that report on a cluster: the API server and the output format.
public final class ReportFlags {
  public @Mixin KubeconfigFlag kubeconfig;

  @Mixin private OutputFlag output;

  public List<String> mistakes() {
    List<String> mistakes = new ArrayList<>(kubeconfig.mistakes());
    mistakes.addAll(output.mistakes());
    return mistakes;
  }

  public void print(CommandReport report, PrintWriter out) {
    if (output.isTable()) {
      out.print(report.table(output.isWide()));
      out.flush();
    } else {
      output.print(report.document(), out);
    }
  }
}
