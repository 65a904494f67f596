package dev.berth.chaos.arenas;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The command of Berth in a JVM of its own, with the classes of this run. The script `berth` is
/// not used: it would select a start-up cache and options that depend on the machine.
final class BerthProgram {
  private BerthProgram() {}

  /// @param heap the maximum heap, such as `384m`
  static List<String> command(String heap, List<String> words) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:+UseSerialGC",
            // The JVM names these files by process ids, which are not unique across namespaces.
            "-XX:-UsePerfData",
            // Processes are killed often: the first compiler alone makes them ready sooner.
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
