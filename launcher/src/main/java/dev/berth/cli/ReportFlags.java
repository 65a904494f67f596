package dev.berth.cli;

import dev.berth.launch.reports.CommandReport;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;

/// The flags of commands that ask a server something: which server, and how to print.
final class ReportFlags {
  @Mixin KubeconfigFlag kubeconfig;

  @Mixin private OutputFlag output;

  List<String> mistakes() {
    List<String> mistakes = new ArrayList<>(kubeconfig.mistakes());
    mistakes.addAll(output.mistakes());
    return mistakes;
  }

  void print(CommandReport report, PrintWriter out) {
    if (output.isTable()) {
      out.print(report.table(output.isWide()));
      out.flush();
    } else {
      output.print(report.document(), out);
    }
  }
}
