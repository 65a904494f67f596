package dev.berth.server.table;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;

/// Formats durations like kubectl: at most two units, coarser for longer durations.
///
/// The limits between the units are those of upstream's `HumanDuration`, so that ages look the same
/// everywhere.
public final class HumanDuration {
  static final String UNKNOWN = "<unknown>";

  private HumanDuration() {}

  /// Formats as `3m7s`, `47h`, `5d2h`, `318d`, `2y10d`; slightly negative durations come from
  /// skewed clocks.
  public static String format(Duration duration) {
    long seconds = duration.toMillis() / 1000;
    if (seconds < -1) {
      return "<invalid>";
    }
    long minutes = seconds / 60;
    long hours = minutes / 60;
    long days = hours / 24;
    if (seconds < 120) {
      return Math.max(seconds, 0) + "s";
    } else if (minutes < 10) {
      return pair(minutes, "m", seconds % 60, "s");
    } else if (minutes < 180) {
      return minutes + "m";
    } else if (hours < 8) {
      return pair(hours, "h", minutes % 60, "m");
    } else if (hours < 48) {
      return hours + "h";
    } else if (days < 8) {
      return pair(days, "d", hours % 24, "h");
    } else if (days < 2 * 365) {
      return days + "d";
    } else if (days < 8 * 365) {
      return pair(days / 365, "y", days % 365, "d");
    }
    return days / 365 + "y";
  }

  /// Time passed since an RFC 3339 timestamp, `<unknown>` when there is none.
  static String since(String timestamp, Instant now) {
    if (timestamp.isEmpty()) {
      return UNKNOWN;
    }
    try {
      return format(Duration.between(Instant.parse(timestamp), now));
    } catch (DateTimeParseException e) {
      return UNKNOWN;
    }
  }

  private static String pair(long major, String majorUnit, long minor, String minorUnit) {
    return minor == 0 ? major + majorUnit : major + majorUnit + minor + minorUnit;
  }
}
