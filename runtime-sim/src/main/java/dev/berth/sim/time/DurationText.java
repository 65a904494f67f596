package dev.berth.sim.time;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads durations as Kubernetes writes them: `1.5s`, `200ms`, `1h30m`. A bare number is seconds.
public final class DurationText {
  /// The accepted form, for error messages.
  public static final String SYNTAX = "a duration such as 200ms, 5s or 1m30s";

  private static final Pattern WHOLE = Pattern.compile("([0-9]+(\\.[0-9]+)?(ms|us|ns|s|m|h|d))+");
  private static final Pattern PART = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)(ms|us|ns|s|m|h|d)");
  private static final Pattern SECONDS = Pattern.compile("[0-9]+(\\.[0-9]+)?");
  private static final int MOST_DIGITS = 18;

  private DurationText() {}

  /// Parses a duration; empty when the text has another form.
  public static Optional<Duration> parse(String text) {
    if (text.length() > MOST_DIGITS) {
      return Optional.empty();
    }
    if (SECONDS.matcher(text).matches()) {
      return Optional.of(of(text, "s"));
    }
    if (!WHOLE.matcher(text).matches()) {
      return Optional.empty();
    }
    Duration sum = Duration.ZERO;
    Matcher part = PART.matcher(text);
    while (part.find()) {
      sum = sum.plus(of(part.group(1), part.group(2)));
    }
    return Optional.of(sum);
  }

  private static Duration of(String number, String unit) {
    long nanos =
        switch (unit) {
          case "ns" -> 1L;
          case "us" -> 1_000L;
          case "ms" -> 1_000_000L;
          case "s" -> 1_000_000_000L;
          case "m" -> 60_000_000_000L;
          case "h" -> 3_600_000_000_000L;
          case "d" -> 86_400_000_000_000L;
          default -> throw new IllegalArgumentException(unit);
        };
    BigDecimal[] parts =
        new BigDecimal(number)
            .multiply(BigDecimal.valueOf(nanos))
            .divideAndRemainder(BigDecimal.valueOf(1_000_000_000L));
    return Duration.ofSeconds(parts[0].longValue(), parts[1].longValue());
  }
}
