package dev.berth.vm.network;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Ends the programs that a killed service left running for one network. They would go on making
/// what is being removed.
///
/// @param proc `/proc`, another one in tests
record LeftoverPrograms(Path proc) {
  /// A killed process is gone at once, unless the kernel works for it.
  private static final int LIMIT_SECONDS = 30;

  /// Environments are small; a program cannot have a large one by accident.
  private static final int ENVIRONMENT_LIMIT = 1 << 20;

  void end(Path directory) throws IOException {
    List<ProcessHandle> left =
        ProcessHandle.allProcesses().filter(process -> isMarked(process.pid(), directory)).toList();
    left.forEach(ProcessHandle::destroyForcibly);
    for (ProcessHandle process : left) {
      try {
        process.onExit().get(LIMIT_SECONDS, TimeUnit.SECONDS);
      } catch (TimeoutException | ExecutionException e) {
        throw new IOException(
            "process %d still works for %s and cannot be killed"
                .formatted(process.pid(), directory),
            e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }
  }

  private boolean isMarked(long pid, Path directory) {
    String mark = NetworkProgram.MARK + "=" + directory;
    Path file = proc.resolve(Long.toString(pid)).resolve("environ");
    try (var environment = Files.newInputStream(file)) {
      String all = new String(environment.readNBytes(ENVIRONMENT_LIMIT), StandardCharsets.UTF_8);
      return List.of(all.split("\0", -1)).contains(mark);
    } catch (IOException _) {
      return false; // It ended, or it belongs to somebody whose environment nobody may read.
    }
  }
}
