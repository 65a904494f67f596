package dev.berth.launch.vm;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// How another command of Berth is started in a JVM like this one.
///
/// @param classPath of this process
/// @param build the directory with this process' jars; `./berth` makes it
record JavaCommand(String classPath, Optional<Path> build) {
  /// The heap of the VM runtime is small: most of its work is passing bytes on. The start-up cache
  /// is left out, because it costs 70 MiB of memory and spares a tenth of the start.
  private static final List<String> OPTIONS =
      List.of(
          "-XX:+UseSerialGC",
          "-Xms16m",
          "-Xmx256m",
          "-XX:-ShrinkHeapInSteps",
          "-XX:+UseCompactObjectHeaders",
          "-XX:+ExitOnOutOfMemoryError",
          "-XX:TieredStopAtLevel=1",
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow");

  private static final String MAIN = "dev.berth.cli.Main";

  static JavaCommand ofThisProcess() {
    String classPath = System.getProperty("java.class.path");
    return new JavaCommand(classPath, buildOf(classPath));
  }

  static String program() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /// The file that is locked by those who run this build; empty for classes that nobody removes.
  Optional<Path> stamp() {
    return build.map(directory -> directory.resolve("stamp"));
  }

  private static Optional<Path> buildOf(String classPath) {
    Path first = Path.of(classPath.split(File.pathSeparator, 2)[0]).toAbsolutePath();
    return Optional.ofNullable(first.getParent())
        .map(Path::getParent)
        .filter(directory -> Files.exists(directory.resolve("stamp")));
  }

  /// The text of an argument file.
  ///
  /// @param words of the command line of Berth
  String text(List<String> words) {
    List<String> all = new ArrayList<>(OPTIONS);
    all.addAll(List.of("-cp", classPath, MAIN));
    all.addAll(words);
    return all.stream().map(JavaCommand::quoted).collect(Collectors.joining("\n", "", "\n"));
  }

  private static String quoted(String word) {
    return "\"" + word.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }
}
