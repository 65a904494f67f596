package dev.berth.cli;

import dev.berth.launch.Report;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The flags of commands that ask a server something: which server, and how to print.
final class ReportFlags {
  private static final List<String> FORMATS = List.of("", "wide", "json", "yaml");

  @Mixin KubeconfigFlag kubeconfig;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "",
      description = "json, yaml or wide. Default: a table.")
  private String format = "";

  List<String> mistakes() {
    List<String> mistakes = new ArrayList<>(kubeconfig.mistakes());
    if (!FORMATS.contains(format)) {
      mistakes.add("-o " + format + ": must be json, yaml or wide");
    }
    return mistakes;
  }

  void print(Report report, PrintWriter out) {
    out.print(
        switch (format) {
          case "json" -> report.json();
          case "yaml" -> report.yaml();
          default -> report.table(format.equals("wide"));
        });
    out.flush();
  }
}
