package dev.berth.bench.api;

import dev.berth.bench.servers.BenchCredentials;
import dev.berth.bench.servers.LoadedServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Sends requests with `wrk`, a client in C. A Java client would take half as much time as the
/// server on the cores that they share.
final class WrkClient implements AutoCloseable {
  // Requests, microseconds of the run, microseconds of p50 and p99, and failures, as `pods.lua`
  // prints them.
  private static final Pattern MEASURED =
      Pattern.compile("measured (\\d+) (\\d+) (\\d+) (\\d+) (\\d+)");

  private final Process process;
  private final Path script;

  private WrkClient(Process process, Path script) {
    this.process = process;
    this.script = script;
  }

  /// The requests to send.
  ///
  /// @param sort a kind of request of `pods.lua`
  /// @param size the number of pods in the store
  record Order(String sort, int connections, int size, int seconds) {}

  /// The answers.
  record Answers(long requests, double seconds, double p50Millis, double p99Millis, long failed) {}

  /// Starts the load. The script gets its parameters in environment variables, because wrk passes
  /// arguments to scripts only in one function.
  static WrkClient start(LoadedServer server, Order order) throws IOException {
    Path script = Files.createTempFile("pods", ".lua");
    try (InputStream in = WrkClient.class.getResourceAsStream("pods.lua")) {
      Files.write(script, Objects.requireNonNull(in).readAllBytes());
    }
    BenchCredentials credentials = server.credentials();
    ProcessBuilder builder =
        new ProcessBuilder(
            List.of(
                "wrk",
                // One thread sends for all connections; more would take the server's cores.
                "--threads=1",
                "--connections=" + order.connections(),
                "--duration=" + order.seconds() + "s",
                // wrk counts a slower answer as an error, which fails the run.
                "--timeout=30s",
                "--script=" + script,
                credentials.server().toString()));
    builder
        .environment()
        .putAll(
            Map.of(
                "SORT", order.sort(),
                "SIZE", Integer.toString(order.size()),
                "RUN", Long.toString(System.nanoTime()),
                "POD", new String(BenchPods.pod("NAME"), StandardCharsets.UTF_8),
                "TOKEN", credentials.token()));
    try {
      return new WrkClient(builder.redirectErrorStream(true).start(), script);
    } catch (IOException e) {
      throw new IOException("wrk is not installed; run apt-get install wrk", e);
    }
  }

  /// Waits for the end of the load.
  Answers answers() throws IOException, InterruptedException {
    // Read to its end before the wait: a full pipe would stop wrk.
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    Matcher numbers = MEASURED.matcher(said);
    if (!numbers.find()) {
      throw new IOException("wrk failed: " + said);
    }
    return new Answers(
        Long.parseLong(numbers.group(1)),
        Long.parseLong(numbers.group(2)) / 1e6,
        Long.parseLong(numbers.group(3)) / 1e3,
        Long.parseLong(numbers.group(4)) / 1e3,
        Long.parseLong(numbers.group(5)));
  }

  /// Stops the load if it still runs.
  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    Files.deleteIfExists(script);
  }
}
