package dev.berth.store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/// The part of another process's command line that identifies it to a person.
///
/// The command line of a Java process begins with options and a class path of thousands of
/// characters; the program comes after them.
public final class ProcessCommand {
  private static final int MAX = 120;
  private static final String BERTH = "dev.berth.cli.Main";

  /// Options of `java` whose value is the next word.
  private static final Set<String> WITH_VALUE =
      Set.of(
          "-cp",
          "-classpath",
          "--class-path",
          "-p",
          "--module-path",
          "--upgrade-module-path",
          "--add-modules",
          "--add-reads",
          "--add-exports",
          "--add-opens",
          "--enable-native-access");

  private ProcessCommand() {}

  /// Describes a process for messages, such as `4711 (berth server --data-dir /srv/berth)`; without
  /// the command when nothing more than the id is known.
  static String describe(long pid) {
    String words = of(Path.of("/proc", Long.toString(pid)));
    if (words.isEmpty()) {
      words = ProcessHandle.of(pid).flatMap(process -> process.info().command()).orElse("");
    }
    return words.isEmpty() ? Long.toString(pid) : pid + " (" + words + ")";
  }

  /// The shortened command; empty when it cannot be read.
  ///
  /// @param process its directory in `/proc`
  public static String of(Path process) {
    try {
      String line = Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1);
      String words = line.endsWith("\0") ? line.substring(0, line.length() - 1) : line;
      return shorten(String.join(" ", informative(List.of(words.split("\0", -1)))).strip());
    } catch (IOException _) {
      return "";
    }
  }

  private static List<String> informative(List<String> words) {
    if (!words.getFirst().endsWith("/java") && !words.getFirst().equals("java")) {
      return words;
    }
    int at = 1;
    while (at < words.size() && isOption(words.get(at))) {
      at += WITH_VALUE.contains(words.get(at)) ? 2 : 1;
    }
    if (at >= words.size()) {
      return words;
    }
    List<String> rest = words.subList(at + 1, words.size());
    return with(words.get(at).equals(BERTH) ? "berth" : "java " + words.get(at), rest);
  }

  private static boolean isOption(String word) {
    return word.startsWith("-") || word.startsWith("@");
  }

  private static List<String> with(String first, List<String> rest) {
    String[] all = new String[rest.size() + 1];
    Arrays.setAll(all, i -> i == 0 ? first : rest.get(i - 1));
    return List.of(all);
  }

  private static String shorten(String text) {
    return text.length() <= MAX ? text : text.substring(0, MAX) + "...";
  }
}
