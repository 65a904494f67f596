package dev.berth.client.fake;

import dev.berth.client.DelayedActions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.locks.ReentrantLock;

/// Time that passes only when a test says so.
///
/// Actions run in the thread that advances the time, under the lock, in the order of their times.
public final class ManualTime implements DelayedActions, InstantSource {
  private record Due(Instant at, long number, Runnable action) {}

  private final ReentrantLock lock = new ReentrantLock();
  // The three below are guarded by the lock.
  private final PriorityQueue<Due> pending =
      new PriorityQueue<>(Comparator.comparing(Due::at).thenComparingLong(Due::number));
  private Instant now;
  private long count;

  public ManualTime(Instant start) {
    this.now = start;
  }

  @Override
  public Instant instant() {
    lock.lock();
    try {
      return now;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Pending after(Duration delay, Runnable action) {
    lock.lock();
    try {
      Due due = new Due(now.plus(delay), count++, action);
      pending.add(due);
      return () -> cancel(due);
    } finally {
      lock.unlock();
    }
  }

  private void cancel(Due due) {
    lock.lock();
    try {
      pending.remove(due);
    } finally {
      lock.unlock();
    }
  }

  /// Lets time pass and runs what comes due, in order.
  public void advance(Duration time) {
    lock.lock();
    try {
      Instant end = now.plus(time);
      for (Due next = pending.peek();
          next != null && !next.at().isAfter(end);
          next = pending.peek()) {
        pending.remove(next);
        now = next.at();
        next.action().run();
      }
      now = end;
    } finally {
      lock.unlock();
    }
  }

  public int pendingCount() {
    lock.lock();
    try {
      return pending.size();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      pending.clear();
    } finally {
      lock.unlock();
    }
  }
}
