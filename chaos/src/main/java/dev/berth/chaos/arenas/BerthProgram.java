package dev.berth.chaos.arenas;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The command line of Berth in a JVM of its own, with the classes of this run.
final class BerthProgram {
  private BerthProgram() {}

  /// @param heap such as `384m`
  static List<String> command(String heap, List<String> words) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:+UseSerialGC",
            // Its files are named by process ids, which are those of a namespace here.
            "-XX:-UsePerfData",
            "-XX:TieredStopAtLevel=1",
            "-XX:-ShrinkHeapInSteps",
            "-XX:+ExitOnOutOfMemoryError",
            "-Xmx" + heap,
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-cp",
            System.getProperty("java.class.path"),
            "dev.berth.cli.Main"));
    command.addAll(words);
    return command;
  }
}
