package dev.berth.chaos.report;

import dev.berth.chaos.history.RunLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// The report of a run: steps, counts, and violations with the steps before them.
public final class ChaosReport {
  private final RunLog log;
  private final long seed;
  private final List<String> arenas;

  public ChaosReport(RunLog log, long seed, List<String> arenas) {
    this.log = log;
    this.seed = seed;
    this.arenas = List.copyOf(arenas);
  }

  /// Writes the report and its plot beside it.
  public void write(Path file) throws IOException {
    Path absolute = file.toAbsolutePath();
    Files.createDirectories(absolute.getParent());
    String plot = absolute.getFileName().toString().replaceFirst("\\.md$", "") + ".svg";
    Files.writeString(absolute, text(plot));
    Files.writeString(
        absolute.resolveSibling(plot), new TimelinePlot(log.faults(), log.samples()).svg());
  }

  private String text(String plot) {
    StringBuilder out = new StringBuilder();
    List<RunLog.Violation> violations = log.violations();
    out.append("# Chaos test\n\n");
    out.append(
        """
        `./dev chaos --seed %d --arenas %s`, %d minutes on %d cores. The same seed gives the same
        faults in the same order, but not at the same moments.
        [docs/chaos.md](../../docs/chaos.md) describes the faults and the checks.

        **%s.**

        ![faults and acknowledged writes](%s)

        """
            .formatted(
                seed,
                String.join(",", arenas),
                Math.max(1, log.now().toMinutes()),
                Runtime.getRuntime().availableProcessors(),
                violations.isEmpty()
                    ? "The run found no violation"
                    : "The run found %d violations".formatted(violations.size()),
                plot));
    counts(out);
    violations.forEach(violation -> describe(violation, out));
    out.append("## Steps\n```\n");
    log.entries().forEach(entry -> out.append(entry).append('\n'));
    out.append("```\n");
    return out.toString();
  }

  private void counts(StringBuilder out) {
    out.append("## Counts\n| | |\n|---|---:|\n");
    for (Map.Entry<String, Long> count : log.counts().entrySet()) {
      out.append("| %s | %,d |%n".formatted(count.getKey(), count.getValue()));
    }
    out.append('\n');
  }

  /// A violation with the steps before it, which is what somebody needs to repeat it.
  private static void describe(RunLog.Violation violation, StringBuilder out) {
    out.append(
        "## Violation of %s at %.1f s%n```%n%s%n```%nSteps before:%n```%n"
            .formatted(violation.rule(), violation.at().toMillis() / 1e3, violation.text()));
    violation.before().forEach(entry -> out.append(entry).append('\n'));
    out.append("```\n\n");
  }
}
