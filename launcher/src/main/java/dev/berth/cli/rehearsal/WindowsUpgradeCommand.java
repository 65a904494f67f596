package dev.berth.cli.rehearsal;

import dev.berth.cli.options.FlagChecks;
import dev.berth.cli.options.LogVerbosity;
import dev.berth.cli.options.OutputFlag;
import dev.berth.cli.options.TextColumns;
import dev.berth.launch.rehearsal.PodPlace;
import dev.berth.launch.rehearsal.RehearsalReport;
import dev.berth.launch.rehearsal.RehearsalReport.Step;
import dev.berth.launch.rehearsal.RehearsalReport.Story;
import dev.berth.launch.rehearsal.WindowsUpgrade;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `berth rehearse windows-upgrade`.
@Command(
    name = "windows-upgrade",
    description = {
      "Play the stories of KEP-1301 on simulated nodes: Windows Server 2019, 1903, 2022 and 2025,",
      "process and Hyper-V isolation. The report shows the node, isolation and image entry of each",
      "pod before and after. The exit code is 0 when every story holds."
    },
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  berth rehearse windows-upgrade",
      "  berth rehearse windows-upgrade -o json    the report for a program"
    })
final class WindowsUpgradeCommand implements Callable<Integer>, FlagChecks {
  @Spec private CommandSpec spec;
  @Mixin private OutputFlag output;

  @Override
  public List<String> mistakes() {
    return output.mistakes();
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    LogVerbosity.quiet();
    Path directory = Files.createTempDirectory("berth-rehearsal-");
    PrintWriter err = spec.commandLine().getErr();
    RehearsalReport report;
    try {
      report = WindowsUpgrade.play(directory, step -> err.println("... " + step));
    } finally {
      remove(directory);
    }
    PrintWriter out = spec.commandLine().getOut();
    if (output.isTable()) {
      print(report, output.isWide(), out);
    } else {
      output.print(report, out);
    }
    return report.holds() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  /// The report for people.
  static void print(RehearsalReport report, boolean wide, PrintWriter out) {
    for (Story story : report.stories()) {
      out.println();
      out.println(story.title());
      story.steps().forEach(step -> print(step, wide, out));
    }
    out.println();
    long held = report.stories().stream().filter(Story::holds).count();
    out.println("%d of %d stories hold".formatted(held, report.stories().size()));
    out.flush();
  }

  private static void print(Step step, boolean wide, PrintWriter out) {
    out.println();
    out.println("  %-6s  %s".formatted(step.holds() ? "ok" : "FAILED", step.action()));
    if (!step.holds()) {
      out.println("          " + step.problem());
    }
    step.facts().forEach(fact -> out.println("          " + fact));
    if (!step.pods().isEmpty()) {
      TextColumns.align(table(step.pods(), wide)).forEach(line -> out.println("          " + line));
    }
  }

  private static List<List<String>> table(List<PodPlace> pods, boolean wide) {
    List<List<String>> rows = new ArrayList<>();
    List<String> titles =
        new ArrayList<>(List.of("POD", "CLASS", "NODE", "OS", "ISOLATION", "IMAGE ENTRY"));
    if (wide) {
      titles.addAll(List.of("HANDLER", "IMAGE"));
    }
    rows.add(titles);
    for (PodPlace pod : pods) {
      List<String> row =
          new ArrayList<>(
              List.of(
                  pod.pod(),
                  orDash(pod.runtimeClass()),
                  pod.node(),
                  pod.system(),
                  orDash(pod.isolation()),
                  pod.entry()));
      if (wide) {
        row.addAll(List.of(pod.handler(), pod.image()));
      }
      rows.add(row);
    }
    return rows;
  }

  private static String orDash(String text) {
    return text.isEmpty() ? "-" : text;
  }

  private static void remove(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
