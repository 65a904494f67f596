package dev.berth.bench.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/// The resource usage of a process, as the kernel reports it.
///
/// From `/proc`, so that any process can be measured in the same way, also one that is no JVM. The
/// directory disappears with the process; a reader then gets an exception.
public record ProcessUse(Path directory) {
  /// Returns the usage of a started launcher. The launcher execs into the JVM, so its process id is
  /// the right one.
  public static ProcessUse of(Process process) {
    return of(process.pid());
  }

  public static ProcessUse of(long pid) {
    return new ProcessUse(Path.of("/proc/" + pid));
  }

  public long residentMiB() throws IOException {
    try (Stream<String> lines = Files.lines(directory.resolve("status"))) {
      return lines
              // In kB, whatever the locale. Pages that processes share count in full for each.
              .filter(line -> line.startsWith("VmRSS:"))
              .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
              .findFirst()
              .orElse(0)
          / 1024;
    }
  }

  /// The processor time so far. The kernel counts in hundredths of a second.
  public long cpuMicros() throws IOException {
    return cpuMicros(directory.resolve("stat"));
  }

  /// Measures the share of one processor over the given time.
  public double share(Duration time) throws IOException, InterruptedException {
    long before = cpuMicros();
    long start = System.nanoTime();
    Thread.sleep(time);
    return (cpuMicros() - before) * 1e3 / (System.nanoTime() - start);
  }

  /// The part of the processor time that the JVM spent on compiling.
  public long compilerMicros() throws IOException {
    try (Stream<Path> threads = Files.list(directory.resolve("task"))) {
      return threads.mapToLong(ProcessUse::compilerMicros).sum();
    }
  }

  /// The processor time of a thread; 0 when it is not a compiler thread, or has ended.
  // The JVM names its compiler threads so; `comm` cuts names at 15 characters.
  private static long compilerMicros(Path thread) {
    try {
      return Files.readString(thread.resolve("comm")).matches("C[12] Compiler(?s:.*)")
          ? cpuMicros(thread.resolve("stat"))
          : 0;
    } catch (IOException _) {
      return 0;
    }
  }

  private static long cpuMicros(Path stat) throws IOException {
    String text = Files.readString(stat);
    // The name of a process may contain blanks and parentheses. After it come the state and, as
    // twelfth and thirteenth field, the user and the kernel time in ticks of 10 ms.
    String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * 10_000;
  }
}
