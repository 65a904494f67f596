package dev.berth.bench.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// The QEMU processes of the product's pods: what they take from the machine.
record MachineProcesses(List<Path> processes) {
  private static final int TICKS_PER_SECOND = 100;

  /// Those that have files below a directory.
  static MachineProcesses below(Path directory) throws IOException {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> all = Files.list(Path.of("/proc"))) {
      for (Path process : all.filter(path -> path.resolve("cmdline").toFile().exists()).toList()) {
        String command = text(process.resolve("cmdline"));
        if (command.contains("qemu-system") && command.contains(directory.toString())) {
          found.add(process);
        }
      }
    }
    return new MachineProcesses(found);
  }

  /// Memory that would be free without them, in MiB, on average.
  double privateMiB() {
    long kib = 0;
    for (Path process : processes) {
      kib +=
          text(process.resolve("smaps_rollup"))
              .lines()
              .filter(line -> line.startsWith("Private_Clean") || line.startsWith("Private_Dirty"))
              .mapToLong(line -> Long.parseLong(line.replaceAll("\\D+", "")))
              .sum();
    }
    return processes.isEmpty() ? 0 : kib / 1024.0 / processes.size();
  }

  /// The share of one core that all of them use together.
  double share(Duration time) throws InterruptedException {
    long before = ticks();
    long start = System.nanoTime();
    Thread.sleep(time);
    return (ticks() - before) * (1e9 / TICKS_PER_SECOND) / (System.nanoTime() - start);
  }

  private long ticks() {
    long sum = 0;
    for (Path process : processes) {
      String stat = text(process.resolve("stat"));
      // The name of the program may contain blanks; it ends with the last parenthesis.
      String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
      sum += Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
    }
    return sum;
  }

  /// Empty for a process that ended meanwhile.
  private static String text(Path file) {
    try {
      return Files.readString(file, java.nio.charset.StandardCharsets.ISO_8859_1);
    } catch (IOException _) {
      return "";
    }
  }
}
