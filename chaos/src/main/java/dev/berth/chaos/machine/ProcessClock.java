package dev.berth.chaos.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;

/// The wall clock of one process, which can jump: libfaketime reads the offset from a file. The
/// monotonic clock does not jump, as when an administrator sets a machine's clock.
public final class ProcessClock {
  private static final Path LIBRARY =
      Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1");

  private final Path file;

  public ProcessClock(Path file) throws IOException {
    this.file = file;
    jump(Duration.ZERO);
  }

  /// Whether libfaketime is installed.
  public static boolean isAvailable() {
    return Files.exists(LIBRARY);
  }

  /// The environment variables of the process. Without the last but one, timed waits of the JVM
  /// return at once.
  public Map<String, String> environment() {
    return isAvailable()
        ? Map.of(
            "LD_PRELOAD", LIBRARY.toString(),
            "FAKETIME_TIMESTAMP_FILE", file.toString(),
            "FAKETIME_CACHE_DURATION", "1",
            "FAKETIME_DONT_FAKE_MONOTONIC", "1",
            "FAKETIME_FORCE_MONOTONIC_FIX", "0",
            "NO_FAKE_STAT", "1")
        : Map.of();
  }

  /// Sets the offset of the clock. The file is replaced atomically, because the process reads it at
  /// any time; it notices the change within a second.
  ///
  /// @param offset the difference to the machine's clock
  public void jump(Duration offset) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(next, "%+d\n".formatted(offset.toSeconds()));
    Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }
}
