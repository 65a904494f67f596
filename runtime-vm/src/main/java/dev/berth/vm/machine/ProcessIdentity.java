package dev.berth.vm.machine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/// A process that is never confused with a later one of the same number.
///
/// @param startTicks when it started, in clock ticks after the boot
/// @param boot of the host's kernel
public record ProcessIdentity(long pid, long startTicks, String boot) {
  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

  /// USER_HZ, which is the same on every Linux of this architecture.
  private static final long NANOS_OF_A_TICK = 10_000_000;

  /// @param startTicks and the rest are of the process itself
  private record ProcessStatus(char state, long startTicks, long cpuTicks) {}

  static Optional<ProcessIdentity> of(long pid) {
    return status(pid).map(status -> new ProcessIdentity(pid, status.startTicks(), bootId()));
  }

  /// Of this boot of the host.
  public static String bootId() {
    try {
      return Files.readString(BOOT_ID).strip();
    } catch (IOException failure) {
      throw new IllegalStateException("no /proc on this host", failure);
    }
  }

  /// Whether it runs. A process that ended and waits for its parent does not.
  public boolean alive() {
    Optional<ProcessStatus> status = status(pid);
    return status.isPresent()
        && status.get().startTicks() == startTicks
        && !ended(status.get().state())
        && boot.equals(bootId());
  }

  /// The first thread of a process may have ended before the others, which still have its memory
  /// and files.
  private boolean ended(char state) {
    return state == 'X' || (state == 'Z' && threads() <= 1);
  }

  private long threads() {
    try (Stream<Path> threads = Files.list(Path.of("/proc/" + pid + "/task"))) {
      return threads.count();
    } catch (IOException | UncheckedIOException gone) {
      return 0;
    }
  }

  public long cpuNanos() {
    return status(pid)
        .filter(status -> status.startTicks() == startTicks)
        .map(status -> status.cpuTicks() * NANOS_OF_A_TICK)
        .orElse(0L);
  }

  /// Kills it and waits until it is gone; never anybody else.
  ///
  /// @return whether it is gone
  public boolean kill(Duration limit) {
    // The handle notes the start of the process, and compares it before it sends the signal.
    Optional<ProcessHandle> handle = ProcessHandle.of(pid);
    if (handle.isPresent() && alive()) {
      handle.get().destroyForcibly();
    }
    return awaitEnd(limit);
  }

  public boolean awaitEnd(Duration limit) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (alive()) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      LockSupport.parkNanos(1_000_000);
    }
    return true;
  }

  /// The processes whose working directory is this one, of a user, or still of the launcher: those
  /// that a killed service did not write down.
  static List<ProcessIdentity> workingIn(Path directory, int user, Path launcher) {
    List<ProcessIdentity> found = new ArrayList<>();
    try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
      processes.forEach(
          process -> {
            String name = process.getFileName().toString();
            if (Character.isDigit(name.charAt(0)) && belongs(process, directory, user, launcher)) {
              of(Long.parseLong(name)).ifPresent(found::add);
            }
          });
    } catch (IOException | UncheckedIOException failure) {
      throw new IllegalStateException("no /proc on this host", failure);
    }
    return found;
  }

  private static boolean belongs(Path process, Path directory, int user, Path launcher) {
    try {
      return Files.readSymbolicLink(process.resolve("cwd")).equals(directory)
          && (Files.getAttribute(process, "unix:uid").equals(user)
              || Files.readSymbolicLink(process.resolve("exe")).equals(launcher));
    } catch (IOException gone) {
      return false;
    }
  }

  private static Optional<ProcessStatus> status(long pid) {
    try {
      String text = Files.readString(Path.of("/proc/" + pid + "/stat"));
      // The name in parentheses may have any character.
      String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ", -1);
      long cpu = Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
      return Optional.of(new ProcessStatus(fields[0].charAt(0), Long.parseLong(fields[19]), cpu));
    } catch (IOException gone) {
      return Optional.empty();
    }
  }
}
