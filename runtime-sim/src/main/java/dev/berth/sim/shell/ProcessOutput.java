package dev.berth.sim.shell;

import java.nio.charset.StandardCharsets;

/// Where a process writes.
@FunctionalInterface
public interface ProcessOutput {
  int STDOUT = 1;
  int STDERR = 2;

  /// Must not keep the bytes for changing them.
  void write(int stream, byte[] bytes);

  default void print(String text) {
    write(STDOUT, text.getBytes(StandardCharsets.UTF_8));
  }

  default void complain(String text) {
    write(STDERR, text.getBytes(StandardCharsets.UTF_8));
  }
}
