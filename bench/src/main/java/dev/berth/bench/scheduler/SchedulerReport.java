package dev.berth.bench.scheduler;

import dev.berth.bench.reports.SvgBars;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;

/// Writes the tables and the plot of the scheduler's benchmark.
///
/// Two costs are apart on purpose: bindings per second are limited by the server and the disk,
/// decisions by the scheduler's thread alone.
final class SchedulerReport {
  /// Pods per second of kube-scheduler 1.26, between the measured 105 and 125.
  private static final double UPSTREAM = 115;

  private SchedulerReport() {}

  static void write(
      Path directory, int warmUp, List<SchedulerBench.Row> rows, List<DecisionCost.Row> costs)
      throws IOException {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve("scheduler.md"), text(warmUp, rows, costs));
    SvgBars bars = new SvgBars("pods bound per second (log scale; dashed: kube-scheduler 1.26)");
    rows.forEach(
        row -> bars.add("bound/s", UPSTREAM, "%,d nodes".formatted(row.nodes()), row.perSecond()));
    costs.forEach(
        cost ->
            bars.add(
                "decisions/s in memory",
                UPSTREAM,
                "%,d nodes".formatted(cost.nodes()),
                1e6 / cost.micros()));
    Files.writeString(directory.resolve("scheduler.svg"), bars.svg());
    System.err.println("written: " + directory.resolve("scheduler.md"));
  }

  private static String text(
      int warmUp, List<SchedulerBench.Row> rows, List<DecisionCost.Row> costs) {
    StringBuilder text = new StringBuilder();
    line(text, "# Scheduler, %s", Instant.now().truncatedTo(ChronoUnit.MINUTES));
    line(text, "");
    line(
        text,
        "Made by `./dev bench scheduler` on %d cores. The API server is a process of its own with a durable store; the scheduler runs in the"
            + " benchmark's process. At each size %s before the measured ones. Pods have a class with selector, toleration and overhead. Rate: all pods exist before"
            + " the scheduler starts. Latency: from sending one pod to seeing it bound on a watch, one pod at a time.",
        Runtime.getRuntime().availableProcessors(),
        warmUp == 0
            ? "server and scheduler are cold, nothing was bound"
            : "%,d pods are bound and deleted again".formatted(warmUp));
    line(text, "");
    line(text, "| nodes | pods | bound/s | p50 ms | p99 ms | server MiB |");
    line(text, "|---|---|---|---|---|---|");
    line(
        text,
        "| upstream, 1,000 and 5,000 | - | 105-125 | - | - | 370-480 with etcd and scheduler |");
    for (SchedulerBench.Row row : rows) {
      line(
          text,
          "| %,d | %,d | %,.0f | %.1f | %.1f | %d |",
          row.nodes(),
          row.pods(),
          row.perSecond(),
          row.p50Millis(),
          row.p99Millis(),
          row.serverMiB());
    }
    line(text, "");
    line(text, "Choosing a node and counting the pod there, in memory, nodes of one shape:");
    line(text, "");
    line(text, "| nodes | us per decision |");
    line(text, "|---|---|");
    costs.forEach(cost -> line(text, "| %,d | %.1f |", cost.nodes(), cost.micros()));
    line(text, "");
    line(text, "![Rates by number of nodes](scheduler.svg)");
    return text.toString();
  }

  private static void line(StringBuilder text, String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
