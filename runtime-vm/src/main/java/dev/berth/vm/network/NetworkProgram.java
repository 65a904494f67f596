package dev.berth.vm.network;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Runs programs that change the network of one pod. Each is marked in its environment with the
/// pod's directory, by which [LeftoverPrograms] finds those that an earlier process left running.
///
/// @param directory of the pod's network
/// @param limit the longest time of one program; then it and its children are killed
record NetworkProgram(Path directory, Duration limit) {
  static final String MARK = "BERTH_POD_NETWORK";

  /// Directories that the PATH of a service may lack.
  private static final String SYSTEM_PATH = "/usr/local/sbin:/usr/sbin:/sbin:/usr/bin:/bin";

  ProgramOutput run(List<String> command, Map<String, String> environment, String input)
      throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command);
    String own = System.getenv("PATH");
    builder.environment().put("PATH", own == null ? SYSTEM_PATH : own + ":" + SYSTEM_PATH);
    builder.environment().put(MARK, directory.toString());
    builder.environment().putAll(environment);
    Process process = builder.start();
    try {
      CompletableFuture<String> output = reading(process.getInputStream());
      CompletableFuture<String> errors = reading(process.getErrorStream());
      write(process, input);
      String text = output.get(limit.toMillis(), TimeUnit.MILLISECONDS);
      String complaints = errors.get(limit.toMillis(), TimeUnit.MILLISECONDS);
      if (!process.waitFor(limit)) {
        throw new TimeoutException();
      }
      return new ProgramOutput(process.exitValue(), text, complaints);
    } catch (TimeoutException e) {
      throw new IOException("it did not end within %d s".formatted(limit.toSeconds()), e);
    } catch (ExecutionException e) {
      throw new IOException("its output cannot be read", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException failure = new InterruptedIOException("interrupted");
      failure.initCause(e);
      throw failure;
    } finally {
      if (process.isAlive()) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
      }
    }
  }

  /// A program may end without reading all of its input; its exit code says why.
  private static void write(Process process, String input) {
    try (OutputStream to = process.getOutputStream()) {
      to.write(input.getBytes(StandardCharsets.UTF_8));
    } catch (IOException _) {
      // The pipe is closed.
    }
  }

  /// A thread of its own reads: a full pipe would block the program.
  private static CompletableFuture<String> reading(InputStream stream) {
    CompletableFuture<String> text = new CompletableFuture<>();
    Thread.ofVirtual()
        .name("network-program-output")
        .start(
            () -> {
              try (stream) {
                text.complete(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
              } catch (IOException e) {
                text.completeExceptionally(new UncheckedIOException(e));
              }
            });
    return text;
  }
}
