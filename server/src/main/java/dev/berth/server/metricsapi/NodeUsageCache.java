package dev.berth.server.metricsapi;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Caches the newest usage of one node; concurrent requests share one measurement.
///
/// The lock is held while the node is asked: further requests wait for this measurement instead of
/// asking again.
final class NodeUsageCache {
  /// Lifetime of a cached measurement.
  private static final Duration FRESH = Duration.ofSeconds(10);

  /// Older readings do not count for the current rate.
  private static final Duration LONGEST_WINDOW = Duration.ofMinutes(1);

  /// A rate over a shorter window is too inaccurate.
  private static final Duration SHORTEST_WINDOW = Duration.ofSeconds(1);

  /// Reads `/metrics/resource` of the node.
  interface Source {
    String read() throws IOException;
  }

  /// Waits between two readings.
  interface Pause {
    void pause(Duration time) throws InterruptedException;
  }

  private final Source source;
  private final InstantSource clock;
  private final Pause pause;
  private final ReentrantLock lock = new ReentrantLock();

  /// The lock guards the fields below.
  private @Nullable NodeSample last;

  private @Nullable MeasuredUsage usage;
  private Instant measured = Instant.MIN;

  NodeUsageCache(Source source, InstantSource clock, Pause pause) {
    this.source = source;
    this.clock = clock;
    this.pause = pause;
  }

  MeasuredUsage usage() throws IOException, InterruptedException {
    lock.lockInterruptibly();
    try {
      MeasuredUsage known = usage;
      if (known != null && clock.instant().isBefore(measured.plus(FRESH))) {
        return known;
      }
      MeasuredUsage made = measure();
      usage = made;
      measured = clock.instant();
      return made;
    } finally {
      lock.unlock();
    }
  }

  /// A rate needs two readings; the previous one is used when the counters have not changed since.
  private MeasuredUsage measure() throws IOException, InterruptedException {
    NodeSample earlier = last;
    NodeSample now = read();
    last = now;
    if (earlier == null || !isBase(earlier, now)) {
      earlier = now;
      pause.pause(SHORTEST_WINDOW);
      now = read();
      last = now;
    }
    if (!now.time().isAfter(earlier.time())) {
      throw new IOException("the node reports the same timestamp again");
    }
    return MeasuredUsage.between(earlier, now);
  }

  private static boolean isBase(NodeSample earlier, NodeSample now) {
    Duration window = Duration.between(earlier.time(), now.time());
    return window.compareTo(SHORTEST_WINDOW) >= 0
        && window.compareTo(LONGEST_WINDOW) <= 0
        && earlier.containers().keySet().containsAll(now.containers().keySet());
  }

  private NodeSample read() throws IOException {
    return NodeSample.parse(source.read(), clock.instant());
  }
}
