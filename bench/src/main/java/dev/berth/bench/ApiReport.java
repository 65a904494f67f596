package dev.berth.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;

/// Writes the table and the plot of the API benchmark.
final class ApiReport {
  private ApiReport() {}

  static void write(Path folder, List<ApiBench.Row> rows, Instant when) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("api.md"), table(rows, when));
    Files.writeString(folder.resolve("api.svg"), plot(rows));
    System.err.println("written: " + folder.resolve("api.md") + ", " + folder.resolve("api.svg"));
  }

  private static String table(List<ApiBench.Row> rows, Instant when) {
    StringBuilder text = new StringBuilder();
    line(text, "# API server over TLS, %s", when.truncatedTo(ChronoUnit.MINUTES));
    line(text, "");
    line(
        text,
        "Made by `./dev bench api` on %d cores, client and server on the same ones. GET and POST at 32 connections, LIST of 1,000 pods"
            + " at 4, HTTP/1.1 with client certificates; POSTs are durable (fsync). Fan-out: one writer, 1,000 watchers."
            + " CPU: the server's processor time per request, with the kernel's part.",
        Runtime.getRuntime().availableProcessors());
    line(text, "The first line is what kube-apiserver 1.26 with etcd reached on two cores.");
    line(text, "");
    line(
        text,
        "| pods in store | GET/s (p50 ms, p99 ms, CPU us) | LIST/s (p50 ms, p99 ms, CPU us) | POST/s (p50 ms, p99 ms, CPU us) | fan-out events/s | ready s | idle MiB | after load MiB | journal bytes per pod |");
    line(text, "|---|---|---|---|---|---|---|---|---|");
    line(
        text,
        "| upstream | 2,800 (4,700 cached) | 30-38 | 730 | - | 2.8-3.5 | 260 | 700-1,100 | - |");
    for (ApiBench.Row row : rows) {
      line(
          text,
          "| %,d | %s | %s | %s | %,.0f | %.2f | %d | %d | %,.0f |",
          row.objects(),
          cell(row.get()),
          cell(row.list()),
          cell(row.post()),
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

  private static String cell(Load.Result result) {
    return "%,.0f (%.1f, %.1f, %.0f)"
        .formatted(
            result.perSecond(), result.p50Millis(), result.p99Millis(), result.serverMicros());
  }

  private static void line(StringBuilder text, String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  /// Bars per size of the store, on a logarithmic scale, with upstream's figure as a dashed line.
  private static String plot(List<ApiBench.Row> rows) {
    SvgBars bars = new SvgBars("requests per second (log scale; dashed: kube-apiserver 1.26)");
    for (ApiBench.Row row : rows) {
      String label = "%,d pods".formatted(row.objects());
      bars.add("GET", 2_800, label, row.get().perSecond());
      bars.add("LIST 1,000", 34, label, row.list().perSecond());
      bars.add("POST", 730, label, row.post().perSecond());
    }
    return bars.svg();
  }
}
