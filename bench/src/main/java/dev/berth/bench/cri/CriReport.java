package dev.berth.bench.cri;

import dev.berth.bench.reports.SvgBars;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;

/// Writes the tables and the plot of the benchmark of runtime services. The aims in the text are
/// those of the project, so that a reader sees whether a figure is good.
record CriReport(
    List<CriCallCost.Cost> costs,
    List<CriProxyHop.Latency> hops,
    CriBinding.Rates rates,
    RuntimeLoss.Times times) {
  CriReport {
    costs = List.copyOf(costs);
    hops = List.copyOf(hops);
  }

  void write(Path directory, Instant when) throws IOException {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve("cri.md"), text(when));
    Files.writeString(directory.resolve("cri.svg"), plot());
    System.err.println(
        "written: " + directory.resolve("cri.md") + ", " + directory.resolve("cri.svg"));
  }

  private String text(Instant when) {
    var text = new StringBuilder();
    line(text, "# Runtime services under a registry, %s", when.truncatedTo(ChronoUnit.MINUTES));
    line(text, "");
    line(
        text,
        "Made by `./dev bench cri` on %d cores, on which everything runs. Figures are medians.",
        Runtime.getRuntime().availableProcessors());
    calls(text);
    sockets(text);
    bindings(text);
    line(text, "");
    // Both directions matter: a lost runtime must not get pods, and one that is back must not wait
    // for them.
    line(text, "## Loss and return");
    line(
        text,
        "A runtime in a process of its own is killed (`kill -9`), is gone for two seconds, and serves again; %d rounds."
            + " The aim is a second.",
        times.rounds());
    line(text, "");
    line(text, "| | p50 ms | longest ms |");
    line(text, "|---|---|---|");
    line(text, "| killed until not ready | %.1f | %.1f |", times.lossP50(), times.lossMax());
    line(text, "| serving until ready | %.1f | %.1f |", times.returnP50(), times.returnMax());
    return text.toString();
  }

  private void calls(StringBuilder text) {
    CriCallCost.Cost bare = costs.getFirst();
    line(text, "");
    line(text, "## A call");
    line(
        text,
        "Processor time of `Version` with client and server on one thread, so that only the code on the way is measured. Our client adds"
            + " metrics, a span, a deadline and checks; the registry finds the pod's service first. The aim is less than 5 us above"
            + " the bare stub.");
    line(text, "");
    line(text, "| | us per call | above the bare stub | bytes allocated by the caller |");
    line(text, "|---|---|---|---|");
    for (CriCallCost.Cost cost : costs) {
      // A lookup alone is no call; its difference to one would be a negative number without
      // meaning.
      boolean wholeCall = !cost.what().equals("registry alone");
      line(
          text,
          "| %s | %.3f | %s | %,.0f |",
          cost.what(),
          cost.nanos() / 1e3,
          wholeCall
              ? String.format(Locale.ROOT, "%+.2f us", (cost.nanos() - bare.nanos()) / 1e3)
              : "",
          cost.bytes());
    }
  }

  private void sockets(StringBuilder text) {
    line(text, "");
    line(text, "## Over sockets, and through a proxy");
    line(
        text,
        "Runtime and proxy are processes of their own at unix sockets. The proxy passes bytes on and does nothing else, the least"
            + " that a CRI proxy can do. Microseconds per call, one caller.");
    line(text, "");
    line(text, "| call | bare stub | through our registry | bare stub through a proxy |");
    line(text, "|---|---|---|---|");
    for (CriProxyHop.Latency hop : hops) {
      line(
          text,
          "| %s | %.0f | %.0f (%+.0f %%) | %.0f (%+.0f %%) |",
          hop.call(),
          hop.bare(),
          hop.registry(),
          100 * (hop.registry() / hop.bare() - 1),
          hop.proxy(),
          100 * (hop.proxy() / hop.bare() - 1));
    }
    line(text, "");
    line(text, "![Latency of calls](cri.svg)");
  }

  private void bindings(StringBuilder text) {
    line(text, "");
    line(text, "## Bindings of %,d pods", CriBinding.PODS);
    line(text, "");
    line(text, "| | |");
    line(text, "|---|---|");
    line(
        text,
        "| binds per second, one after the other, each on disk | %,.0f |",
        rates.bindsOneByOne());
    line(
        text,
        "| binds per second, %d at a time, each on disk | %,.0f |",
        rates.together(),
        rates.bindsTogether());
    line(text, "| lookups per second, two threads | %,.0f |", rates.lookups());
    line(text, "| a new agent has restored all of them after | %.0f ms |", rates.reopenMillis());
  }

  private String plot() {
    var bars = new SvgBars("microseconds per call (log scale; dashed: bare stub)");
    for (CriProxyHop.Latency hop : hops) {
      bars.add(hop.call(), hop.bare(), "bare", hop.bare());
      bars.add(hop.call(), hop.bare(), "registry", hop.registry());
      bars.add(hop.call(), hop.bare(), "proxy", hop.proxy());
    }
    return bars.svg();
  }

  private static void line(StringBuilder text, String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
