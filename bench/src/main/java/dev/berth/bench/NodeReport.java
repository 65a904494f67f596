package dev.berth.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;

/// Writes the tables and the plot of the node's benchmark.
final class NodeReport {
  private NodeReport() {}

  static void write(
      Path folder,
      NodeBench.Warmed warmed,
      NodeBench.Single single,
      NodeBench.Ending ending,
      List<NodeBench.Burst> bursts)
      throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("node.md"), text(warmed, single, ending, bursts));
    SvgBars bars =
        new SvgBars("milliseconds until pods run (log scale; dashed: the runtime alone)");
    bars.add("1", single.floorP50(), "runtime", single.floorP50());
    bars.add("1", single.floorP50(), "Berth", single.p50());
    for (NodeBench.Burst burst : bursts) {
      String group = Integer.toString(burst.pods());
      bars.add(group, burst.floor(), "runtime", burst.floor());
      bars.add(group, burst.floor(), "Berth", burst.ours());
    }
    Files.writeString(folder.resolve("node.svg"), bars.svg());
    System.err.println("written: " + folder.resolve("node.md"));
  }

  private static String text(
      NodeBench.Warmed warmed,
      NodeBench.Single single,
      NodeBench.Ending ending,
      List<NodeBench.Burst> bursts) {
    StringBuilder text = new StringBuilder();
    line(text, "# Pods on a node, %s", Instant.now().truncatedTo(ChronoUnit.MINUTES));
    line(text, "");
    line(
        text,
        "Made by `./dev bench node` on %d cores, as root: `berth up` with its own containerd. *Runtime* is the same containerd sent"
            + " the same requests directly (RunPodSandbox, CreateContainer, StartContainer as Berth asked them for one of its pods, each in a control group of its own) by turns with"
            + " *Berth*: a pod sent to the API until a watch shows it running. Milliseconds, when the compilers rested (below a twentieth of a core), after %d pods; the first pod"
            + " after the start took %.0f ms.",
        Runtime.getRuntime().availableProcessors(),
        warmed.pods(),
        warmed.first());
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
        "| pods at once, the middle of three | runtime | Berth | ratio | MiB of the whole `berth up` | idle, of one core |");
    line(text, "|---|---|---|---|---|---|");
    for (NodeBench.Burst burst : bursts) {
      line(
          text,
          "| %d | %.0f | %.0f | %.2f | %d | %.1f %% |",
          burst.pods(),
          burst.floor(),
          burst.ours(),
          burst.ours() / burst.floor(),
          burst.mebibytes(),
          100 * burst.idleShare());
    }
    line(text, "");
    line(text, "![Start of pods](node.svg)");
    return text.toString();
  }

  private static void line(StringBuilder text, String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
