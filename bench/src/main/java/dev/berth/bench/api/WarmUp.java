package dev.berth.bench.api;

import dev.berth.bench.servers.LoadedServer;
import java.io.IOException;
import java.time.Duration;

/// Waits while a server under load compiles itself. A server that is not a JVM reports no compiler
/// time and counts as warm after the first look.
final class WarmUp {
  // Shorter looks would end the warm-up in a pause between two waves of compilation.
  private static final Duration LOOK = Duration.ofSeconds(10);

  /// Share of one core below which the compilers count as finished.
  private static final double RESTING = 0.05;

  private WarmUp() {}

  /// Waits until the compilers have finished, and returns the number of seconds.
  static double await(LoadedServer server, int atMostSeconds)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    double share = 1;
    while (share > RESTING && (System.nanoTime() - start) / 1e9 < atMostSeconds) {
      long before = server.compilerMicros();
      Thread.sleep(LOOK);
      share = (server.compilerMicros() - before) / (LOOK.toNanos() / 1e3);
    }
    return (System.nanoTime() - start) / 1e9;
  }
}
