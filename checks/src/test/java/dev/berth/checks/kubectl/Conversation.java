package dev.berth.checks.kubectl;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/// A process that is talked to: what it writes is read on the way.
final class Conversation implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final Process process;
  private final ByteArrayOutputStream heard = new ByteArrayOutputStream();

  Conversation(Process process) {
    this.process = process;
    // A read that waits for ever must not keep the test: the process is ended instead.
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                if (!process.waitFor(PATIENCE)) {
                  process.destroyForcibly();
                }
              } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
              }
            });
  }

  void say(String line) throws IOException {
    process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
  }

  /// Reads until the process has written this.
  void awaitText(String text) throws IOException {
    InputStream in = process.getInputStream();
    while (!heard.toString(StandardCharsets.UTF_8).contains(text)) {
      int next = in.read();
      if (next < 0) {
        throw new AssertionError("no \"%s\" in: %s".formatted(text, heard));
      }
      heard.write(next);
    }
  }

  /// Reads to the end and answers the exit code.
  int code() throws IOException, InterruptedException {
    process.getInputStream().transferTo(heard);
    return process.waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
