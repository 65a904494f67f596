package dev.berth.bench;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/// The options of one benchmark, with their defaults. Every mistake ends the program before
/// anything is measured.
///
/// Not the command line parser of the product: that knows files, environment and help texts, which
/// a benchmark has no use for.
final class BenchOptions {
  /// An option or its value is not valid.
  static final class Mistake extends RuntimeException {
    private static final long serialVersionUID = 1;

    Mistake(String message) {
      super(message);
    }
  }

  private final Map<String, String> values;

  private BenchOptions(Map<String, String> values) {
    this.values = Map.copyOf(values);
  }

  /// @param arguments pairs of `--name` and value
  /// @param standard the accepted options with their defaults
  static BenchOptions parse(List<String> arguments, Map<String, String> standard) {
    Map<String, String> values = new HashMap<>(standard);
    for (int i = 0; i < arguments.size(); i += 2) {
      String name = arguments.get(i);
      if (!standard.containsKey(name)) {
        throw new Mistake(
            "%s is not an option; the options are %s".formatted(name, accepted(standard)));
      }
      if (i + 1 == arguments.size()) {
        throw new Mistake("%s needs a value, such as %s".formatted(name, standard.get(name)));
      }
      values.put(name, arguments.get(i + 1));
    }
    return new BenchOptions(values);
  }

  private static String accepted(Map<String, String> standard) {
    List<String> options =
        new TreeMap<>(standard)
            .entrySet().stream().map(one -> one.getKey() + " " + one.getValue()).toList();
    return String.join(", ", options);
  }

  private String value(String name) {
    return Objects.requireNonNull(values.get(name), name);
  }

  /// The value of a text option; empty when it is not set.
  String text(String name) {
    return value(name);
  }

  Path path(String name) {
    return Path.of(value(name));
  }

  int number(String name) {
    return number(name, value(name), 1);
  }

  /// A whole number from 0.
  int count(String name) {
    return number(name, value(name), 0);
  }

  int[] numbers(String name) {
    return Arrays.stream(value(name).split(",", -1))
        .mapToInt(text -> number(name, text, 1))
        .toArray();
  }

  private static int number(String name, String text, int least) {
    try {
      int number = Integer.parseInt(text);
      if (number >= least) {
        return number;
      }
    } catch (NumberFormatException _) {
      // The message below covers this case, too.
    }
    throw new Mistake(
        "%s %s: must be a whole number from %d on, without separators"
            .formatted(name, text, least));
  }
}
