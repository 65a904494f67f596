package dev.berth.bench.api;

import dev.berth.bench.reports.SvgBars;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;

/// Writes the table and the plot of the API benchmark. Upstream's figures are constants from an
/// earlier run on two cores.
///
/// The file is replaced as a whole by each run and kept in the repository, so that a change of
/// speed shows in its diff.
final class ApiReport {
  private ApiReport() {}

  static void write(Path directory, ApiBench.Outcome outcome, Instant when) throws IOException {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve("api.md"), table(outcome, when));
    Files.writeString(directory.resolve("api.svg"), plot(outcome.rows()));
    System.err.println(
        "written: " + directory.resolve("api.md") + ", " + directory.resolve("api.svg"));
  }

  private static String table(ApiBench.Outcome outcome, Instant when) {
    StringBuilder text = new StringBuilder();
    line(text, "# API server over TLS, %s", when.truncatedTo(ChronoUnit.MINUTES));
    line(text, "");
    line(
        text,
        "Made by `./dev bench api` on %d cores, client and server on the same ones. GET and POST at 32 connections, LIST of 1,000 pods"
            + " at 4, HTTP/1.1 by `wrk` with a token, to the API server alone (`--no-controllers --no-scheduler`); POSTs are durable (fsync). Fan-out: one writer, 1,000 watchers."
            + " CPU: the server's processor time per request, with the kernel's part. Counted for %d s each, after the same load (POST:"
            + " and DELETE) until the server's compilers took less than a twentieth of a core, at most %d s; how long that was is the last"
            + " number. Ready: the median of five starts, until `/readyz` answers over a new connection; ready and idle with controllers.",
        Runtime.getRuntime().availableProcessors(),
        outcome.seconds().counted(),
        outcome.seconds().warmUp());
    line(
        text,
        "The first line is what kube-apiserver 1.26 with etcd reached on two cores%s.",
        outcome.beside().isEmpty()
            ? ""
            : "; the second is another API server with its etcd under the same load in the same run");
    line(text, "");
    line(
        text,
        "| pods in store | GET/s (p50 ms, p99 ms, CPU us, warmed s) | LIST/s (p50 ms, p99 ms, CPU us, warmed s) | POST/s (p50 ms, p99 ms, CPU us, warmed s) | fan-out events/s | ready s | idle MiB | after load MiB | journal bytes per pod |");
    line(text, "|---|---|---|---|---|---|---|---|---|");
    line(
        text,
        "| upstream | 2,800 (4,700 cached) | 30-38 | 730 | - | 2.8-3.5 | 260 | 700-1,100 | - |");
    for (ApiBench.Rates rates : outcome.beside()) {
      line(
          text,
          "| beside, %,d | %s | %s | %s | - | - | - | - | - |",
          outcome.rows().getFirst().objects(),
          cell(rates.get()),
          cell(rates.list()),
          cell(rates.post()));
    }
    for (ApiBench.Row row : outcome.rows()) {
      line(
          text,
          "| %,d | %s | %s | %s | %,.0f | %.2f | %d | %d | %,.0f |",
          row.objects(),
          cell(row.rates().get()),
          cell(row.rates().list()),
          cell(row.rates().post()),
          row.fanoutPerSecond(),
          row.startSeconds(),
          row.idleMiB(),
          row.loadedMiB(),
          row.journalBytesPerObject());
    }
    line(text, "");
    line(text, "![GET, LIST and POST by size of the store](api.svg)");
    return text.toString();
  }

  // The spread between p50 and p99 shows more than the rate where both servers share cores with a
  // client.
  private static String cell(ClosedLoopLoad.Result result) {
    return "%,.0f (%.1f, %.1f, %.0f, %.0f)"
        .formatted(
            result.perSecond(),
            result.p50Millis(),
            result.p99Millis(),
            result.serverMicros(),
            result.warmedSeconds());
  }

  private static void line(StringBuilder text, String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  /// Bars per size of the store on a logarithmic scale, with upstream's figure as a dashed line.
  private static String plot(List<ApiBench.Row> rows) {
    SvgBars bars = new SvgBars("requests per second (log scale; dashed: kube-apiserver 1.26)");
    for (ApiBench.Row row : rows) {
      String label = "%,d pods".formatted(row.objects());
      // Without upstream's own cache of reads, 2,800; the table names the cached figure beside it.
      bars.add("GET", 2_800, label, row.rates().get().perSecond());
      bars.add("LIST 1,000", 34, label, row.rates().list().perSecond());
      bars.add("POST", 730, label, row.rates().post().perSecond());
    }
    return bars.svg();
  }
}
