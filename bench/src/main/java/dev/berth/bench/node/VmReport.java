package dev.berth.bench.node;

import dev.berth.bench.node.VmBench.Crowd;
import dev.berth.bench.node.VmBench.Quantiles;
import dev.berth.bench.node.VmBench.Starts;
import dev.berth.bench.reports.SvgBars;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;

/// Writes the tables and the plot of pods in virtual machines.
///
/// Ratios are comparable between machines; milliseconds are not.
final class VmReport {
  private VmReport() {}

  static void write(Path directory, int rounds, Starts starts, List<Crowd> crowds, long upMiB)
      throws IOException {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve("vm.md"), text(rounds, starts, crowds, upMiB));
    SvgBars bars = new SvgBars("milliseconds until pods run (log scale; dashed: runc)");
    double runc = starts.runc().p50();
    bars.add("1", runc, "QEMU alone", starts.bare().p50());
    bars.add("1", runc, "runc", runc);
    bars.add("1", runc, "vm", starts.vm().p50());
    for (Crowd crowd : crowds) {
      String group = Integer.toString(crowd.pods());
      bars.add(group, crowd.runc().all(), "runc", crowd.runc().all());
      bars.add(group, crowd.runc().all(), "vm", crowd.vm().all());
    }
    Files.writeString(directory.resolve("vm.svg"), bars.svg());
    System.err.println("written: " + directory.resolve("vm.md"));
  }

  private static String text(int rounds, Starts starts, List<Crowd> crowds, long upMiB) {
    StringBuilder text = new StringBuilder();
    line(text, "# Pods in virtual machines, %s", Instant.now().truncatedTo(ChronoUnit.MINUTES));
    line(text, "");
    line(
        text,
        """
        Made by `./dev bench vm` on %d cores, as root: `berth up` with its own containerd and VM runtime, QEMU without KVM.
        *QEMU alone* restores a saved machine of 128 MiB until the program in its guest answers: no runtime service, no
        network plugins, no container. *runc* and *vm* are the same pod of the same image, sent to the API until a watch
        shows it running; %d rounds by turns, milliseconds. The first pod took %.0f ms, with the making of its template.
        `berth up` itself had %d MiB at the end.
        """,
        Runtime.getRuntime().availableProcessors(),
        rounds,
        starts.first(),
        upMiB);
    line(text, "| one pod at a time | p50 | p95 | p50 beside QEMU alone | p50 beside runc |");
    line(text, "|---|---|---|---|---|");
    row(text, "QEMU alone", starts.bare(), starts);
    row(text, "runc", starts.runc(), starts);
    row(text, "vm", starts.vm(), starts);
    line(text, "");
    line(
        text,
        "| pods at once | runc, all (p50) | vm, all (p50) | ratio | private MiB of a machine | idle, of one core, all together |");
    line(text, "|---|---|---|---|---|---|");
    for (Crowd crowd : crowds) {
      line(
          text,
          "| %d | %.0f (%.0f) | %.0f (%.0f) | %.2f | %.1f | %.1f %% |",
          crowd.pods(),
          crowd.runc().all(),
          crowd.runc().p50(),
          crowd.vm().all(),
          crowd.vm().p50(),
          crowd.vm().all() / crowd.runc().all(),
          crowd.privateMiB(),
          100 * crowd.idle());
    }
    line(text, "");
    line(text, "![Start of pods](vm.svg)");
    return text.toString();
  }

  private static void row(StringBuilder text, String name, Quantiles times, Starts starts) {
    line(
        text,
        "| %s | %.0f | %.0f | %+.0f ms | %.2f |",
        name,
        times.p50(),
        times.p95(),
        times.p50() - starts.bare().p50(),
        times.p50() / starts.runc().p50());
  }

  private static void line(StringBuilder text, String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
