package dev.berth.chaos;

import dev.berth.chaos.faults.FaultKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What was asked for on the command line.
///
/// @param steps of each arena; 0 for as many as there is time for
/// @param report where the report goes; the plot lies beside it
/// @param keep whether logs and data stay although nothing was found
record ChaosOptions(
    Duration time,
    long seed,
    int steps,
    List<ArenaName> arenas,
    Set<FaultKind> faults,
    Path report,
    boolean keep) {
  static final String USAGE =
      """
      ./dev chaos [MINUTES] [OPTIONS]     a standing attack on real processes; needs root

        MINUTES          how long all arenas together are attacked. Default: 10
        --seed N         repeats the faults of an earlier run. Default: a new one, which is printed
        --steps N        attacks each arena with N steps instead of for a time
        --arenas LIST    of: %s. Default: all of them
        --faults LIST    of: %s. Default: all of them
        --report FILE    where the report goes, with a plot beside it. Default: target/chaos/chaos.md
        --keep           keeps logs and data; they are kept anyway when something was found
      """
          .formatted(names(ArenaName.values()), names(FaultKind.values()));

  private static final int DEFAULT_MINUTES = 10;

  ChaosOptions {
    arenas = List.copyOf(arenas);
    faults = Set.copyOf(faults);
  }

  /// What was given cannot be used.
  static final class Mistake extends RuntimeException {
    private static final long serialVersionUID = 1;

    Mistake(String message) {
      super(message);
    }
  }

  /// @param newSeed counts when none is given
  static ChaosOptions parse(List<String> arguments, long newSeed) {
    Duration time = Duration.ofMinutes(DEFAULT_MINUTES);
    long seed = newSeed;
    int steps = 0;
    List<ArenaName> arenas = List.of(ArenaName.values());
    Set<FaultKind> faults = EnumSet.allOf(FaultKind.class);
    Path report = Path.of("target/chaos/chaos.md");
    boolean keep = false;
    for (int i = 0; i < arguments.size(); i++) {
      String word = arguments.get(i);
      switch (word) {
        case "--seed" -> seed = number(word, value(arguments, ++i));
        case "--steps" -> steps = (int) number(word, value(arguments, ++i));
        case "--arenas" -> arenas = choose(word, value(arguments, ++i), ArenaName.values());
        case "--faults" ->
            faults = Set.copyOf(choose(word, value(arguments, ++i), FaultKind.values()));
        case "--report" -> report = Path.of(value(arguments, ++i));
        case "--keep" -> keep = true;
        default -> time = Duration.ofMinutes(minutes(word));
      }
    }
    return new ChaosOptions(time, seed, steps, arenas, faults, report, keep);
  }

  private static String value(List<String> arguments, int index) {
    if (index >= arguments.size()) {
      throw new Mistake(arguments.get(index - 1) + " needs a value");
    }
    return arguments.get(index);
  }

  private static long number(String name, String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException _) {
      throw new Mistake("%s %s: must be a whole number".formatted(name, text));
    }
  }

  private static long minutes(String word) {
    if (word.matches("[1-9][0-9]{0,3}")) {
      return Long.parseLong(word);
    }
    throw new Mistake(
        "%s is neither a number of minutes (1 to 9999) nor an option".formatted(word));
  }

  private static <E extends Enum<E>> List<E> choose(String name, String text, E[] all) {
    List<E> chosen = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      chosen.add(
          Stream.of(all)
              .filter(one -> name(one).equals(part))
              .findFirst()
              .orElseThrow(
                  () -> new Mistake("%s %s: must be of %s".formatted(name, part, names(all)))));
    }
    return chosen;
  }

  private static String names(Enum<?>[] all) {
    return Arrays.stream(all).map(ChaosOptions::name).collect(Collectors.joining(", "));
  }

  /// As the command line has it.
  static String name(Enum<?> one) {
    return one.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
