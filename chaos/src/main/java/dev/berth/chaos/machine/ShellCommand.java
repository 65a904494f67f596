package dev.berth.chaos.machine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/// Runs a program to its end.
public final class ShellCommand {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private ShellCommand() {}

  /// Returns what the program printed.
  ///
  /// @throws IOException when the program fails or does not end
  public static String run(String... command) throws IOException {
    return run(List.of(command));
  }

  public static String run(List<String> command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    try {
      // A program that hangs is ended, which also ends its output.
      Thread guard = Thread.ofVirtual().start(() -> endLate(process));
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int status = process.waitFor();
      guard.interrupt();
      if (status != 0) {
        throw new IOException(
            "%s ended with %d: %s".formatted(String.join(" ", command), status, output.strip()));
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

  private static void endLate(Process process) {
    try {
      if (!process.waitFor(LIMIT)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException _) {
      // The program has ended.
    }
  }
}
