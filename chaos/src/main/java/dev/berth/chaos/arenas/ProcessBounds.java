package dev.berth.chaos.arenas;

import dev.berth.chaos.history.RunLog;
import dev.berth.chaos.machine.ManagedProcess;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/// Checks that a process releases memory and open files after an attack. The bounds are far above
/// what an idle process needs: they find growth that never ends, not waste.
final class ProcessBounds {
  /// Memory of a JVM beside its heap: classes, compiled code, threads and buffers.
  private static final int BESIDE_HEAP_MEBIBYTES = 400;

  /// Open files beyond those at the start, for connections of clients and watches.
  private static final int MORE_OPEN_FILES = 60;

  private static final Duration CALM_DOWN = Duration.ofMinutes(2);

  private final ManagedProcess process;
  private final int mostMebibytes;
  private final RunLog log;
  private long openFilesAtStart;

  ProcessBounds(ManagedProcess process, int heapMebibytes, RunLog log) {
    this.process = process;
    this.mostMebibytes = heapMebibytes + BESIDE_HEAP_MEBIBYTES;
    this.log = log;
  }

  /// Records the open files that the idle process needs.
  void begin() {
    openFilesAtStart = process.openFiles();
  }

  /// Waits until the process is within its bounds: the JVM returns memory some time after a load,
  /// and connections end with their timeouts.
  void check() {
    long end = System.nanoTime() + CALM_DOWN.toNanos();
    long most = openFilesAtStart + MORE_OPEN_FILES;
    while ((process.openFiles() > most || process.residentMebibytes() > mostMebibytes)
        && System.nanoTime() < end) {
      LockSupport.parkNanos(200_000_000);
    }
    long files = process.openFiles();
    long memory = process.residentMebibytes();
    log.step(
        "%s has %d MiB resident and %d open files (%d when it started)"
            .formatted(process.name(), memory, files, openFilesAtStart));
    if (files > most) {
      log.violation("bounds", "%s keeps %d files open".formatted(process.name(), files));
    }
    if (memory > mostMebibytes) {
      log.violation("bounds", "%s keeps %d MiB resident".formatted(process.name(), memory));
    }
  }
}
