package dev.berth.agent.node.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The usage of a Linux process since its start.
///
/// @param cpu in nanoseconds
/// @param resident bytes of memory
/// @param virtual bytes of address space
/// @param started in seconds after the boot
public record LinuxProcess(
    long cpu, long resident, long virtual, long faults, long majorFaults, double started) {
  /// `USER_HZ` is 100 for programs on every Linux architecture that Java runs on.
  private static final long NANOS_PER_TICK = 10_000_000;

  private static final double TICKS_PER_SECOND = 100;
  private static final Pattern RESIDENT = Pattern.compile("(?m)^VmRSS:\\s+(\\d+) kB");
  private static final Pattern MOST_FILES = Pattern.compile("(?m)^Max open files\\s+(\\d+)");

  // Columns after the name, which may contain spaces; proc(5) counts from 1 and includes the name.
  private static final int FAULTS = 10 - 3;
  private static final int MAJOR_FAULTS = 12 - 3;
  private static final int USER = 14 - 3;
  private static final int SYSTEM = 15 - 3;
  private static final int START = 22 - 3;
  private static final int VIRTUAL = 23 - 3;

  /// Reads the current values.
  ///
  /// @param directory such as `/proc/self`
  public static LinuxProcess of(Path directory) throws IOException {
    String stat = Files.readString(directory.resolve("stat"));
    String[] columns = stat.substring(stat.lastIndexOf(')') + 2).strip().split(" ", -1);
    return new LinuxProcess(
        (Long.parseLong(columns[USER]) + Long.parseLong(columns[SYSTEM])) * NANOS_PER_TICK,
        resident(Files.readString(directory.resolve("status"))),
        Long.parseLong(columns[VIRTUAL]),
        Long.parseLong(columns[FAULTS]),
        Long.parseLong(columns[MAJOR_FAULTS]),
        Long.parseLong(columns[START]) / TICKS_PER_SECOND);
  }

  /// The limit of open files.
  ///
  /// @param directory such as `/proc/self`
  public static long mostFiles(Path directory) throws IOException {
    Matcher matcher = MOST_FILES.matcher(Files.readString(directory.resolve("limits")));
    if (!matcher.find()) {
      throw new IOException(directory + "/limits does not contain the limit of open files");
    }
    return Long.parseLong(matcher.group(1));
  }

  /// The resident size in bytes. `stat` counts in pages, whose size Java does not know.
  private static long resident(String status) {
    Matcher matcher = RESIDENT.matcher(status);
    return matcher.find() ? Long.parseLong(matcher.group(1)) << 10 : 0;
  }
}
