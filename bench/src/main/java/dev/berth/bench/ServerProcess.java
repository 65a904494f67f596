package dev.berth.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/// A Berth server in a process of its own, started as its users start it.
final class ServerProcess implements Loaded, AutoCloseable {
  private final Process process;
  private final Path dataDir;
  private final Duration untilReady;

  private ServerProcess(Process process, Path dataDir, Duration untilReady) {
    this.process = process;
    this.dataDir = dataDir;
    this.untilReady = untilReady;
  }

  /// Starts `./berth server` and waits until `/readyz` answers `ok`.
  static ServerProcess start(Path launcher, Path dataDir) throws IOException, InterruptedException {
    Files.deleteIfExists(dataDir.resolve("admin.kubeconfig"));
    long start = System.nanoTime();
    Process process =
        new ProcessBuilder(
                List.of(
                    launcher.toAbsolutePath().toString(),
                    "server",
                    "--data-dir",
                    dataDir.toString(),
                    "--secure-port",
                    "0",
                    "--no-scheduler"))
            .redirectErrorStream(true)
            .redirectOutput(dataDir.resolve("server.log").toFile())
            .start();
    while (!isReady(dataDir)) {
      if (!process.isAlive()) {
        throw new IOException(
            "the server ended: " + Files.readString(dataDir.resolve("server.log")));
      }
      Thread.sleep(Duration.ofMillis(5));
    }
    return new ServerProcess(process, dataDir, Duration.ofNanos(System.nanoTime() - start));
  }

  private static boolean isReady(Path dataDir) {
    Path kubeconfig = dataDir.resolve("admin.kubeconfig");
    if (!Files.exists(kubeconfig)) {
      return false;
    }
    try (TlsClient client = TlsClient.open(Credentials.read(kubeconfig))) {
      return client.get("/readyz").status() == 200;
    } catch (IOException | IllegalArgumentException e) {
      return false;
    }
  }

  @Override
  public Credentials credentials() throws IOException {
    return Credentials.read(dataDir.resolve("admin.kubeconfig"));
  }

  Duration untilReady() {
    return untilReady;
  }

  /// Resident memory of the server's own process (the launcher execs into it), in MiB.
  long residentMiB() throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("/proc/" + process.pid() + "/status"))) {
      return lines
              .filter(line -> line.startsWith("VmRSS:"))
              .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
              .findFirst()
              .orElse(0)
          / 1024;
    }
  }

  /// Processor time that the server has used so far; the kernel counts in hundredths of a second.
  @Override
  public long cpuMicros() throws IOException {
    return cpuMicros(Path.of("/proc/" + process.pid() + "/stat"));
  }

  @Override
  public long compilerMicros() throws IOException {
    try (Stream<Path> threads = Files.list(Path.of("/proc/" + process.pid() + "/task"))) {
      return threads.mapToLong(ServerProcess::compilerMicros).sum();
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

  /// Bytes of the store's files.
  long journalBytes() throws IOException {
    try (Stream<Path> files = Files.walk(dataDir)) {
      return files
          .filter(file -> file.getFileName().toString().contains(".db"))
          .mapToLong(ServerProcess::size)
          .sum();
    }
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(Duration.ofSeconds(20))) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
