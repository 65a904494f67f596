package dev.berth.launch.containerd.programs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Runs programs and waits for their exit. Every run has a time limit, and a program that exceeds
/// it is killed. Output and errors are read together, so that a message comes with its context.
public final class ProgramRunner {
  private static final List<String> USUAL_DIRECTORIES =
      List.of("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin");

  /// The usual time limit: longer than any command takes on a busy machine, except for those with
  /// images.
  private static final Duration LONG = Duration.ofMinutes(1);

  private ProgramRunner() {}

  /// The directories that are searched: PATH, and the sbin directories that a user's PATH may lack.
  public static String path() {
    String own = System.getenv("PATH");
    String usual = String.join(":", USUAL_DIRECTORIES);
    return own == null || own.isEmpty() ? usual : own + ":" + usual;
  }

  public static ProcessBuilder prepare(List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("PATH", path());
    return builder;
  }

  public static boolean succeeds(String... command) {
    return succeeds(List.of(command), LONG);
  }

  public static boolean succeeds(List<String> command, Duration limit) {
    try {
      run(command, limit);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /// Returns the output of a program; throws if it fails.
  public static String run(List<String> command) throws IOException {
    return run(command, LONG);
  }

  /// Returns the output of a program; throws if it fails or exceeds the time limit, because its
  /// server may hang.
  public static String run(List<String> command, Duration limit) throws IOException {
    Process process = prepare(command).start();
    try {
      process.getOutputStream().close();
      CompletableFuture<String> output = new CompletableFuture<>();
      // A thread of its own reads: a full pipe would block the program, and reading cannot be
      // interrupted.
      Thread.ofVirtual().name("output-of-" + process.pid()).start(() -> read(process, output));
      // The output ends with the last process that can write it.
      String text = output.get(limit.toMillis(), TimeUnit.MILLISECONDS);
      if (!process.waitFor(limit)) {
        throw new TimeoutException();
      }
      if (process.exitValue() != 0) {
        throw new IOException("`%s`: %s".formatted(String.join(" ", command), text.strip()));
      }
      return text;
    } catch (TimeoutException e) {
      throw new IOException(
          "`%s` did not exit within %d s".formatted(String.join(" ", command), limit.toSeconds()),
          e);
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      process.destroyForcibly();
    }
  }

  private static void read(Process process, CompletableFuture<String> output) {
    try (var stream = process.getInputStream()) {
      output.complete(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      output.completeExceptionally(new UncheckedIOException(e));
    }
  }
}
