package dev.berth.bench.cri;

import dev.berth.agent.runtimes.health.HealthTimings;
import dev.berth.cri.CriEndpoint.UnixSocket;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/// Measures how long it takes until a killed runtime is not ready, and until one that serves again
/// is ready.
final class RuntimeLoss {
  /// How long the runtime is gone: long enough for the retry interval to reach its maximum.
  private static final Duration AWAY = Duration.ofSeconds(2);

  /// The times in milliseconds.
  record Times(double lossP50, double lossMax, double returnP50, double returnMax, int rounds) {}

  /// Returns the times in milliseconds. The rule that holds back flapping services is off, because
  /// it would rightly hold back this one.
  Times run(Path directory, int rounds) throws IOException, InterruptedException {
    HealthTimings standard = HealthTimings.STANDARD;
    var timings =
        new HealthTimings(
            standard.everyWhenReady(),
            standard.probeLimit(),
            standard.firstRetry(),
            standard.longestRetry(),
            standard.flapWindow(),
            // The number of losses at which a service counts as flapping.
            Integer.MAX_VALUE,
            standard.stableFor());
    var endpoint = new UnixSocket(directory.resolve("loss.sock"));
    // Dominated by the closed connection, which the kernel reports at once; the probe finds only
    // silence.
    double[] losses = new double[rounds];
    double[] returns = new double[rounds];
    CriChild runtime = CriChild.start(CriRuntimeProcess.class, endpoint.path().toString(), "0");
    try (var node = new CriNode(directory.resolve("loss"), endpoint, timings)) {
      for (int i = 0; i < rounds; i++) {
        node.await(true);
        long killed = System.nanoTime();
        runtime.kill();
        node.await(false);
        losses[i] = (System.nanoTime() - killed) / 1e6;
        LockSupport.parkNanos(AWAY.toNanos());
        runtime = CriChild.start(CriRuntimeProcess.class, endpoint.path().toString(), "0");
        // The child has reported that its socket listens, so that the start of its JVM does not
        // count.
        long serves = System.nanoTime();
        node.await(true);
        returns[i] = (System.nanoTime() - serves) / 1e6;
      }
    } finally {
      runtime.close();
    }
    return new Times(
        CriCallCost.median(losses),
        Arrays.stream(losses).max().orElseThrow(),
        CriCallCost.median(returns),
        Arrays.stream(returns).max().orElseThrow(),
        rounds);
  }
}
