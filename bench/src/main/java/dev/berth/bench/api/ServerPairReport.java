package dev.berth.bench.api;

import dev.berth.bench.api.ClosedLoopLoad.Result;
import dev.berth.bench.api.ServerPairBench.Round;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/// Writes the table of two servers that differ in one feature. Each round is shown, so that a
/// reader sees whether the difference exceeds the spread.
final class ServerPairReport {
  private ServerPairReport() {}

  static void write(
      Path directory,
      ServerDifference difference,
      List<Round> rounds,
      int pods,
      ClosedLoopLoad.Times seconds,
      Instant when)
      throws IOException {
    Files.createDirectories(directory);
    Path file = directory.resolve(difference.file() + ".md");
    Files.writeString(file, table(difference, rounds, pods, seconds, when));
    System.err.println("written: " + file);
  }

  static String table(
      ServerDifference difference,
      List<Round> rounds,
      int pods,
      ClosedLoopLoad.Times seconds,
      Instant when) {
    StringBuilder text = new StringBuilder();
    line(text, "# Cost of %s, %s", difference.title(), when.truncatedTo(ChronoUnit.MINUTES));
    line(text, "");
    line(
        text,
        "Made by `./dev bench %s` on %d cores (load average %s), client and servers on the same ones.",
        difference.file(),
        Runtime.getRuntime().availableProcessors(),
        loadAverage());
    line(
        text,
        "Two API servers with %,d pods each (`--no-controllers --no-scheduler`) differ in",
        pods);
    line(
        text,
        "%s and are measured in turn: %d rounds of %d s for",
        difference.words(),
        rounds.size(),
        seconds.counted());
    line(
        text,
        "each server and kind of request, 32 connections of one user, after a warm-up of at most %d s.",
        seconds.warmUp());
    line(text, "CPU: the server's processor time, with the kernel's part.");
    line(text, "");
    line(text, "| | median with | median without | with / without | each round, with : without |");
    line(text, "|---|---|---|---|---|");
    row(text, "GET/s", rounds, Round::getWith, Round::getWithout, Result::perSecond);
    row(text, "GET CPU s per 1M", rounds, Round::getWith, Round::getWithout, Result::serverMicros);
    row(text, "POST/s", rounds, Round::postWith, Round::postWithout, Result::perSecond);
    row(
        text,
        "POST CPU s per 1M",
        rounds,
        Round::postWith,
        Round::postWithout,
        Result::serverMicros);
    return text.toString();
  }

  /// A row with the medians of both servers, their ratio, and every round.
  private static void row(
      StringBuilder text,
      String what,
      List<Round> rounds,
      Function<Round, Result> with,
      Function<Round, Result> without,
      ToDoubleFunction<Result> value) {
    // The ratio of medians, not the median of ratios: the table shows the medians beside it.
    double[] on = rounds.stream().map(with).mapToDouble(value).toArray();
    double[] off = rounds.stream().map(without).mapToDouble(value).toArray();
    StringBuilder pairs = new StringBuilder();
    for (int i = 0; i < on.length; i++) {
      pairs.append(
          String.format(Locale.ROOT, "%s%,.0f : %,.0f", i == 0 ? "" : "; ", on[i], off[i]));
    }
    line(
        text,
        "| %s | %,.0f | %,.0f | %.3f | %s |",
        what,
        median(on),
        median(off),
        median(on) / median(off),
        pairs);
  }

  /// The load average of the last minute. On a quiet machine it is the benchmark's own load.
  private static String loadAverage() {
    return String.format(
        Locale.ROOT, "%.1f", ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
  }

  static double median(double... values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }

  private static void line(StringBuilder text, String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
