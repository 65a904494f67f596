package dev.berth.bench.servers;

import dev.berth.api.PrivateFiles;
import dev.berth.bench.machine.ProcessUse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/// A Berth server in a process of its own, started as users start it.
public final class ServerProcess implements LoadedServer, AutoCloseable {
  // wrk cannot show a certificate, so that the load needs a token.
  private static final String TOKENS = "bench-tokens.csv";

  private final Process process;
  private final ProcessUse use;
  private final Path dataDir;
  private final Duration untilReady;

  private ServerProcess(Process process, Path dataDir, Duration untilReady) {
    this.process = process;
    this.use = ProcessUse.of(process);
    this.dataDir = dataDir;
    this.untilReady = untilReady;
  }

  /// Starts `./berth server` and waits until `/readyz` answers `ok`.
  public static ServerProcess start(Path launcher, Path dataDir, String... flags)
      throws IOException, InterruptedException {
    // The file of an earlier start would name a port that nobody serves.
    Files.deleteIfExists(dataDir.resolve("admin.kubeconfig"));
    long start = System.nanoTime();
    List<String> command = new ArrayList<>();
    command.add(launcher.toAbsolutePath().toString());
    command.addAll(List.of("server", "--data-dir", dataDir.toString(), "--secure-port", "0"));
    // The pods of the load stay unbound; a scheduler would write to each of them.
    command.add("--no-scheduler");
    command.addAll(List.of("--token-auth-file", tokens(dataDir).toString()));
    command.addAll(List.of(flags));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(dataDir.resolve("server.log").toFile())
            .start();
    while (!isReady(dataDir)) {
      if (!process.isAlive()) {
        throw new IOException(
            "the server exited: " + Files.readString(dataDir.resolve("server.log")));
      }
      // The resolution of the measured start.
      Thread.sleep(Duration.ofMillis(5));
    }
    return new ServerProcess(process, dataDir, Duration.ofNanos(System.nanoTime() - start));
  }

  /// Writes an administrator's token, for clients that cannot use a certificate.
  private static Path tokens(Path dataDir) throws IOException {
    Path file = dataDir.resolve(TOKENS);
    if (!Files.exists(file)) {
      // Private before it has content: the token is an administrator's.
      PrivateFiles.createFile(file);
      Files.writeString(file, UUID.randomUUID() + ",bench,bench,system:masters\n");
    }
    return file;
  }

  /// Whether the server answers. Every attempt opens a new connection, as a client would at a
  /// start.
  private static boolean isReady(Path dataDir) {
    Path kubeconfig = dataDir.resolve("admin.kubeconfig");
    if (!Files.exists(kubeconfig)) {
      return false;
    }
    try (TlsClient client = TlsClient.open(BenchCredentials.read(kubeconfig))) {
      return client.get("/readyz").status() == 200;
    } catch (IOException | IllegalArgumentException e) {
      return false;
    }
  }

  @Override
  public BenchCredentials credentials() throws IOException {
    String token = Files.readString(dataDir.resolve(TOKENS)).split(",", 2)[0];
    return BenchCredentials.read(dataDir.resolve("admin.kubeconfig")).withToken(token);
  }

  public Duration untilReady() {
    return untilReady;
  }

  public long residentMiB() throws IOException {
    return use.residentMiB();
  }

  @Override
  public long cpuMicros() throws IOException {
    return use.cpuMicros();
  }

  @Override
  public long compilerMicros() throws IOException {
    return use.compilerMicros();
  }

  /// The size of the store's files in bytes.
  public long journalBytes() throws IOException {
    try (Stream<Path> files = Files.walk(dataDir)) {
      return files
          // The database with its write-ahead log, which may have most of the data.
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
      // A clean stop closes the journal, which takes far less; after this time something hangs.
      if (!process.waitFor(Duration.ofSeconds(20))) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
