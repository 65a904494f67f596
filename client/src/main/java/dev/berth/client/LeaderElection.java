package dev.berth.client;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs work on at most one of several processes: the one that holds a Lease.
///
/// The work is closed before the lease can expire, also when the server does not answer; the
/// process then becomes a candidate again.
///
/// The safety rests on time only: a leader stops its work after `renewal` without an answer, and
/// candidates wait `lease` after the last renewal, which is longer. Clocks of machines need not
/// agree, but must run at about the same speed. Work that cannot be stopped in the time between
/// both may overlap with that of the next leader.
public final class LeaderElection implements AutoCloseable {
  /// The times of an election; each must be well below the one before it.
  ///
  /// @param lease how long candidates wait after the last renewal that they saw
  /// @param renewal how long the leader keeps working without a renewal
  /// @param retry between two attempts
  public record Timing(Duration lease, Duration renewal, Duration retry) {
    public static final Timing USUAL =
        new Timing(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));

    public Timing {
      if (lease.compareTo(renewal) <= 0 || renewal.compareTo(retry) <= 0) {
        throw new IllegalArgumentException(
            "lease %s must be longer than renewal %s, and that longer than retry %s"
                .formatted(lease, renewal, retry));
      }
    }
  }

  private static final Logger log = LoggerFactory.getLogger(LeaderElection.class);

  private final String name;
  private final LeaseLock lock;
  private final Timing timing;
  private final InstantSource clock;
  private final Supplier<AutoCloseable> work;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;

  private volatile boolean leading;

  // Those below belong to the election's thread.
  private boolean failing;
  private @Nullable Future<Boolean> asking;
  private Instant askedAt = Instant.MIN;
  private Instant renewed = Instant.MIN;

  private LeaderElection(
      String name,
      LeaseLock lock,
      Timing timing,
      InstantSource clock,
      Supplier<AutoCloseable> work) {
    this.name = name;
    this.lock = lock;
    this.timing = timing;
    this.clock = clock;
    this.work = work;
    this.thread = Thread.ofVirtual().name("leader-election-" + name).unstarted(this::run);
  }

  /// Becomes a candidate.
  ///
  /// @param identity of this process, different from that of every other candidate
  /// @param work started each time this process becomes the leader; closed when it no longer is
  public static LeaderElection start(
      ApiClient client,
      ObjectKey lease,
      String identity,
      Timing timing,
      InstantSource clock,
      Supplier<AutoCloseable> work) {
    LeaseLock lock = new LeaseLock(client, lease, identity, timing.lease(), clock);
    LeaderElection election = new LeaderElection(lease.name(), lock, timing, clock, work);
    election.thread.start();
    return election;
  }

  private void run() {
    @Nullable AutoCloseable running = null;
    while (!isClosing()) {
      switch (ask()) {
        case HELD -> {
          // The time of the question counts and not that of the answer: candidates may have seen
          // the renewal right after the question.
          renewed = askedAt;
          if (running == null) {
            running = begin();
          }
        }
        case LOST -> running = stop(running);
        case UNKNOWN -> {
          if (renewed.plus(timing.renewal()).isBefore(clock.instant())) {
            running = stop(running);
          }
        }
      }
      pause();
    }
    if (running != null) {
      var _ = stop(running);
      // Released only after the work has ended; the next leader begins at once.
      release();
    }
  }

  private enum Answer {
    HELD,
    LOST,
    UNKNOWN
  }

  /// Renews the lease, and waits for a slow server no longer than the retry interval: the leader
  /// must notice in time that its lease may expire.
  private Answer ask() {
    Future<Boolean> answer = asking;
    if (answer == null) {
      askedAt = clock.instant();
      FutureTask<Boolean> task = new FutureTask<>(lock::tryHold);
      Thread.ofVirtual().name("lease-" + name).start(task);
      answer = task;
      asking = task;
    }
    try {
      boolean held = answer.get(timing.retry().toNanos(), TimeUnit.NANOSECONDS);
      asking = null;
      if (failing) {
        log.info("lease renewed again lease={}", name);
        failing = false;
      }
      return held ? Answer.HELD : Answer.LOST;
    } catch (TimeoutException _) {
      return Answer.UNKNOWN;
    } catch (ExecutionException e) {
      asking = null;
      if (!failing && !isClosing()) {
        log.warn("lease not renewed, will retry lease={} reason={}", name, reason(e));
        failing = true;
      }
      return Answer.UNKNOWN;
    } catch (InterruptedException _) {
      closing.countDown();
      return Answer.UNKNOWN;
    }
  }

  private static @Nullable String reason(ExecutionException e) {
    Throwable cause = e.getCause();
    return cause == null ? e.getMessage() : cause.getMessage();
  }

  private @Nullable AutoCloseable begin() {
    log.info("leader elected lease={}", name);
    try {
      AutoCloseable running = work.get();
      leading = true;
      return running;
    } catch (RuntimeException e) {
      // The top of this thread: the process stays a candidate and tries again at the next renewal.
      log.error("work did not start lease={}", name, e);
      return null;
    }
  }

  private @Nullable AutoCloseable stop(@Nullable AutoCloseable running) {
    if (running == null) {
      return null;
    }
    log.info("leadership ended lease={}", name);
    leading = false;
    try {
      running.close();
    } catch (Exception e) {
      log.warn("work did not close cleanly lease={}", name, e);
    }
    return null;
  }

  private void release() {
    try {
      lock.release();
    } catch (ClientException e) {
      log.debug("lease not released lease={}", name, e);
    }
  }

  private void pause() {
    try {
      boolean _ = closing.await(timing.retry().toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException _) {
      closing.countDown();
    }
  }

  private boolean isClosing() {
    return closing.getCount() == 0;
  }

  /// Returns the name of the lease.
  public String name() {
    return name;
  }

  public boolean isLeading() {
    return leading;
  }

  /// Stops the work if it runs here, and releases the lease.
  @Override
  public void close() {
    closing.countDown();
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
