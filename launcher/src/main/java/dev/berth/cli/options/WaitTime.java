package dev.berth.cli.options;

import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// How long a command waits, as a user writes it: `30s`, `10m`, `2h`; a number alone is of seconds.
public final class WaitTime {
  private static final Pattern TIME = Pattern.compile("(\\d{1,6})([smh]?)");

  private WaitTime() {}

  /// Empty when it is no time.
  public static OptionalLong seconds(String text) {
    Matcher time = TIME.matcher(text);
    if (!time.matches()) {
      return OptionalLong.empty();
    }
    long number = Long.parseLong(time.group(1));
    return OptionalLong.of(
        switch (time.group(2)) {
          case "h" -> number * 3600;
          case "m" -> number * 60;
          default -> number;
        });
  }
}
