package dev.berth.launch.containerd;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Runs programs to their end.
final class Commands {
  private static final List<String> USUAL_FOLDERS =
      List.of("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin");

  private Commands() {}

  /// Where programs are looked for: also in the administrator's folders, which a user's path may
  /// lack.
  static String path() {
    String own = System.getenv("PATH");
    String usual = String.join(":", USUAL_FOLDERS);
    return own == null || own.isEmpty() ? usual : own + ":" + usual;
  }

  static ProcessBuilder prepare(List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("PATH", path());
    return builder;
  }

  static boolean succeeds(String... command) {
    try {
      run(List.of(command));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /// Answers what it printed; fails when it fails.
  static String run(List<String> command) throws IOException {
    Process process = prepare(command).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new IOException("`%s`: %s".formatted(String.join(" ", command), output.strip()));
      }
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    return output;
  }
}
