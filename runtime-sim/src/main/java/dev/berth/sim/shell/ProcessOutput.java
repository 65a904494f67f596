package dev.berth.sim.shell;

import dev.berth.cri.streaming.CommandOutput;
import java.nio.charset.StandardCharsets;

/// Receives the output of a process. Calls come on the thread of the process, and a receiver that
/// blocks holds the process up, as a full pipe does.
@FunctionalInterface
public interface ProcessOutput extends CommandOutput {
  int STDOUT = 1;
  int STDERR = 2;

  default void print(String text) {
    write(STDOUT, text.getBytes(StandardCharsets.UTF_8));
  }

  default void complain(String text) {
    write(STDERR, text.getBytes(StandardCharsets.UTF_8));
  }
}
