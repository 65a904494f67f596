package dev.berth.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/// What a process takes of the machine, as the kernel tells it.
public record ProcessUse(Path directory) {
  /// The launcher execs into the JVM, so that its process is the right one.
  public static ProcessUse of(Process process) {
    return of(process.pid());
  }

  public static ProcessUse of(long pid) {
    return new ProcessUse(Path.of("/proc/" + pid));
  }

  public long residentMiB() throws IOException {
    try (Stream<String> lines = Files.lines(directory.resolve("status"))) {
      return lines
              .filter(line -> line.startsWith("VmRSS:"))
              .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
              .findFirst()
              .orElse(0)
          / 1024;
    }
  }

  /// Processor time so far; the kernel counts in hundredths of a second.
  long cpuMicros() throws IOException {
    return cpuMicros(directory.resolve("stat"));
  }

  /// Part of one processor that it uses in the time to come.
  double share(Duration time) throws IOException, InterruptedException {
    long before = cpuMicros();
    long start = System.nanoTime();
    Thread.sleep(time);
    return (cpuMicros() - before) * 1e3 / (System.nanoTime() - start);
  }

  /// Of the processor time so far, what the JVM spent on compiling.
  long compilerMicros() throws IOException {
    try (Stream<Path> threads = Files.list(directory.resolve("task"))) {
      return threads.mapToLong(ProcessUse::compilerMicros).sum();
    }
  }

  /// Of a thread; 0 when it is not a compiler's, or has ended.
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
    String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * 10_000;
  }
}
