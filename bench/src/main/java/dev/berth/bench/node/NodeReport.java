package dev.berth.bench.node;

import dev.berth.bench.reports.SvgBars;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;

/// Writes the tables and the plot of the node's benchmark. The kubelet's figures are constants of
/// an earlier run on two cores.
///
/// Ratios to the runtime alone are comparable between machines; milliseconds are not.
final class NodeReport {
  private NodeReport() {}

  static void write(
      Path directory,
      NodeBench.Warmed warmed,
      NodeBench.Single single,
      NodeBench.Ending ending,
      List<NodeBench.Burst> bursts,
      List<AgentProcessCost.Use> alone)
      throws IOException {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve("node.md"), text(warmed, single, ending, bursts, alone));
    SvgBars bars =
        new SvgBars("milliseconds until pods run (log scale; dashed: the runtime alone)");
    bars.add("1", single.floorP50(), "runtime", single.floorP50());
    bars.add("1", single.floorP50(), "Berth", single.p50());
    for (NodeBench.Burst burst : bursts) {
      String group = Integer.toString(burst.pods());
      bars.add(group, burst.floor().all(), "runtime", burst.floor().all());
      bars.add(group, burst.floor().all(), "Berth", burst.ours().all());
    }
    Files.writeString(directory.resolve("node.svg"), bars.svg());
    System.err.println("written: " + directory.resolve("node.md"));
  }

  private static String text(
      NodeBench.Warmed warmed,
      NodeBench.Single single,
      NodeBench.Ending ending,
      List<NodeBench.Burst> bursts,
      List<AgentProcessCost.Use> alone) {
    StringBuilder text = new StringBuilder();
    line(text, "# Pods on a node, %s", Instant.now().truncatedTo(ChronoUnit.MINUTES));
    line(text, "");
    line(
        text,
        "Made by `./dev bench node` on %d cores, as root: `berth up` with its own containerd. *Runtime* is the same containerd sent"
            + " the same requests directly (RunPodSandbox, CreateContainer, StartContainer as Berth asked them for one of its pods, each in a control group of its own) by turns with"
            + " *Berth*: a pod sent to the API until a watch shows it running. Milliseconds, after %d pods: when the compilers rested (below a fiftieth of a core), or when the most pods for warming up had been. Right after the start"
            + " the first pod took %.0f ms and the first %s at once %.0f (the runtime alone %.0f, ratio %.2f).",
        Runtime.getRuntime().availableProcessors(),
        warmed.pods(),
        warmed.first(),
        NodeBench.WARM_TOGETHER,
        warmed.burst().all(),
        warmed.floor().all(),
        warmed.burst().all() / warmed.floor().all());
    line(text, "");
    line(text, "| one pod at a time | runtime | Berth | ratio | kubelet 1.26, elsewhere |");
    line(text, "|---|---|---|---|---|");
    line(
        text,
        "| created to Running, p50 | %.0f | %.0f | %.2f | 680-1,000 over a floor of 230 |",
        single.floorP50(),
        single.p50(),
        single.p50() / single.floorP50());
    line(
        text,
        "| created to Running, p95 | %.0f | %.0f | %.2f | |",
        single.floorP95(),
        single.p95(),
        single.p95() / single.floorP95());
    line(
        text,
        "| deleted to gone, p50 | %.0f (stop of the sandbox) | %.0f | %+.0f ms | 2,100 |",
        ending.floorP50(),
        ending.p50(),
        ending.p50() - ending.floorP50());
    line(text, "");
    line(
        text,
        "| pods at once (median of so many times) | runtime, all (p50, p95) | Berth, all (p50, p95) | ratio, all (p50, p95) | kubelet 1.26, elsewhere | MiB of the whole `berth up` | idle a minute later, of one core |");
    line(text, "|---|---|---|---|---|---|---|");
    for (NodeBench.Burst burst : bursts) {
      line(
          text,
          "| %d (%d) | %s | %s | %.2f (%.2f, %.2f) | %s | %d | %.1f %% |",
          burst.pods(),
          burst.times(),
          cell(burst.floor()),
          cell(burst.ours()),
          burst.ours().all() / burst.floor().all(),
          burst.ours().p50() / burst.floor().p50(),
          burst.ours().p95() / burst.floor().p95(),
          elsewhere(burst.pods()),
          burst.mebibytes(),
          100 * burst.idleShare());
    }
    line(text, "");
    line(
        text, "| `berth agent` in a process of its own | MiB | idle a minute later, of one core |");
    line(text, "|---|---|---|");
    for (AgentProcessCost.Use use : alone) {
      line(text, "| %d pods | %d | %.1f %% |", use.pods(), use.mebibytes(), 100 * use.idleShare());
    }
    line(text, "| kubelet 1.26, elsewhere, 30 and 100 pods | 80-94 | 3 and 6.5 %% |");
    line(text, "");
    line(text, "![Start of pods](node.svg)");
    return text.toString();
  }

  private static String cell(BurstTimes times) {
    return "%.0f (%.0f, %.0f)".formatted(times.all(), times.p50(), times.p95());
  }

  /// The kubelet's times on two cores.
  private static String elsewhere(int pods) {
    // Only the sizes of that earlier run; other sizes have an empty cell.
    return switch (pods) {
      case 30 -> "5,600-7,300 over 3,600-4,100";
      case 100 -> "23,700";
      default -> "";
    };
  }

  private static void line(StringBuilder text, String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
