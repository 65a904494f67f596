package dev.berth.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Starts a main class of the tests in a process of its own, with this one's class path.
public final class ChildJvm {
  private ChildJvm() {}

  public static Process start(Class<?> main, String... arguments) throws IOException {
    return start(List.of(), main, arguments);
  }

  /// Starts it below another command.
  ///
  /// @param wrapper a command that gets the whole Java command line as its last arguments
  public static Process start(List<String> wrapper, Class<?> main, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(wrapper);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:+UseSerialGC");
    command.add("-XX:TieredStopAtLevel=1");
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }
}
