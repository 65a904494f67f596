package dev.berth.agent.pods.plan;

import java.time.Duration;

/// Durations in the format of Kubernetes' messages: `10s`, `2m40s`.
public final class GoDurations {
  private GoDurations() {}

  public static String of(Duration time) {
    long minutes = time.toMinutes();
    String seconds = time.toSecondsPart() + "s";
    if (time.toHours() > 0) {
      return "%dh%dm%s".formatted(time.toHours(), time.toMinutesPart(), seconds);
    }
    return minutes > 0 ? minutes + "m" + seconds : seconds;
  }

  /// Measured durations with fractions: `1.234s`, `56.789ms`.
  public static String measured(Duration time) {
    if (time.compareTo(Duration.ofSeconds(1)) < 0) {
      return trimmed(time.toNanos() / 1e6) + "ms";
    }
    long minutes = time.toMinutes();
    String seconds = trimmed((time.toMillis() - minutes * 60_000) / 1e3) + "s";
    return minutes > 0 ? minutes + "m" + seconds : seconds;
  }

  private static String trimmed(double value) {
    String text = "%.3f".formatted(value);
    return text.replaceAll("\\.?0+$", "");
  }
}
