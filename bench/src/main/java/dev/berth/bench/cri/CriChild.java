package dev.berth.bench.cri;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A process of the benchmark with the same JVM and class path. It ends with its parent, also when
/// the parent is killed: its standard input then ends.
final class CriChild implements AutoCloseable {
  private static final String READY = "ready";

  private final Process process;

  private CriChild(Process process) {
    this.process = process;
  }

  /// Starts a process, which is ready when the method returns.
  static CriChild start(Class<?> main, String... args) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // A small fixed heap and one collector thread, so that the child takes no part in
                // what is measured.
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
    command.addAll(List.of(args));
    Process process =
        // A full pipe would stop the child; nobody reads its errors.
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    var reader =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    // Blocks until the child is ready, or until it ends and closes its output.
    String line = reader.readLine();
    if (!READY.equals(line)) {
      process.destroyForcibly();
      throw new IOException(main.getSimpleName() + " did not start: " + line);
    }
    return new CriChild(process);
  }

  /// Runs in the child: reports that it is ready, and returns when its parent has ended.
  static void serveUntilParentEnds() {
    System.out.println(READY);
    System.out.flush();
    try {
      while (System.in.read() >= 0) {
        // The parent sends nothing.
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    System.exit(0);
  }

  /// Kills the process with SIGKILL.
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
