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

/// The options of the command line.
///
/// A seed fixes the faults and their order, not their moments: processes and clients run in real
/// time.
///
/// @param steps number of steps per arena; 0 means as many as the time permits
/// @param report the path of the report; the plot is written beside it
/// @param keep whether to keep logs and data of a run without violations
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
      ./dev chaos [MINUTES] [OPTIONS]     inject faults into real processes and check invariants; needs root

        MINUTES          Duration of the run over all arenas. Default: 10
        --seed N         Seed of the faults, to repeat an earlier run. Default: a new seed, which is printed
        --steps N        Number of steps per arena, instead of a duration
        --arenas LIST    Arenas to attack, from: %s. Default: all
        --faults LIST    Faults to inject, from: %s. Default: all
        --report FILE    File of the report; its plot is written beside it. Default: target/chaos/chaos.md
        --keep           Keep logs and data of a run without violations; a run with violations always keeps them
      """
          .formatted(names(ArenaName.values()), names(FaultKind.values()));

  private static final int DEFAULT_MINUTES = 10;

  ChaosOptions {
    arenas = List.copyOf(arenas);
    faults = Set.copyOf(faults);
  }

  /// An option or its value is not valid.
  static final class Mistake extends RuntimeException {
    private static final long serialVersionUID = 1;

    Mistake(String message) {
      super(message);
    }
  }

  /// @param newSeed the seed when no option sets one
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

  /// Reads a list of names; refuses an unknown one with those that there are.
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

  /// The spelling on the command line.
  static String name(Enum<?> one) {
    return one.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
