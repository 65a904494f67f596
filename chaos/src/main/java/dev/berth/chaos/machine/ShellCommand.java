package dev.berth.chaos.machine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/// Runs a program to its end. A program that exceeds the time limit is killed, and fails.
public final class ShellCommand {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private ShellCommand() {}

  /// Runs a program and returns its output.
  ///
  /// @throws IOException when the program fails or does not end
  public static String run(String... command) throws IOException {
    return run(List.of(command));
  }

  public static String run(List<String> command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    try {
      // Ends a program that hangs, which also ends its output.
      Thread guard = Thread.ofVirtual().start(() -> endLate(process));
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int status = process.waitFor();
      guard.interrupt();
      if (status != 0) {
        throw new IOException(
            "%s exited with %d: %s".formatted(String.join(" ", command), status, output.strip()));
      }
      return output;
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted: " + String.join(" ", command), e);
    }
  }

  public static boolean succeeds(String... command) {
    try {
      run(command);
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  /// Kills a program that exceeds the time limit.
  private static void endLate(Process process) {
    try {
      if (!process.waitFor(LIMIT)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException _) {
      // The program has ended in time.
    }
  }
}
