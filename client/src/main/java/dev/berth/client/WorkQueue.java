package dev.berth.client;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;

/// Keys that wait for a worker. A key is in the queue at most once, and never with two workers at
/// the same time.
///
/// A key added while a worker has it is queued again afterwards. The size is bounded by the number
/// of distinct keys.
///
/// Every failure leads back into the queue with a growing delay, so no key is ever lost while the
/// queue is open.
public final class WorkQueue<K> implements AutoCloseable {
  /// The figures for metrics.
  ///
  /// @param depth keys ready to be taken
  /// @param delayed keys that become ready later
  /// @param running keys with a worker
  /// @param failing keys whose last attempt failed
  public record Stats(int depth, int delayed, int running, int failing, long added, long retried) {}

  private record Delayed(Instant due, DelayedActions.Pending pending) {}

  private final Backoff backoff;
  private final DelayedActions delays;
  private final InstantSource clock;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition available = lock.newCondition();
  // All below are guarded by the lock. A waiting key is in `waiting`, and in `order` exactly when
  // no worker has it.
  private final Deque<K> order = new ArrayDeque<>();
  private final Set<K> waiting = new HashSet<>();
  private final Set<K> running = new HashSet<>();
  private final Map<K, Delayed> later = new HashMap<>();
  private final Map<K, Integer> failures = new HashMap<>();
  private long added;
  private long retried;
  private boolean closed;

  public WorkQueue(Backoff backoff, DelayedActions delays, InstantSource clock) {
    this.backoff = backoff;
    this.delays = delays;
    this.clock = clock;
  }

  /// 5 ms up to 1000 s between attempts at the same key.
  public static Backoff usualBackoff(RandomGenerator random) {
    return new Backoff(Duration.ofMillis(5), Duration.ofSeconds(1000), random);
  }

  /// The key is ready at once, even if it waited for a delay: something has changed, so the delay
  /// no longer means anything.
  public void add(K key) {
    lock.lock();
    try {
      Delayed delayed = later.remove(key);
      if (delayed != null) {
        delayed.pending().cancel();
      }
      if (closed || !waiting.add(key)) {
        return;
      }
      added++;
      if (!running.contains(key)) {
        order.add(key);
        available.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /// Adds the key after a delay; the shortest of several delays counts.
  public void addAfter(K key, Duration delay) {
    if (delay.isZero() || delay.isNegative()) {
      add(key);
      return;
    }
    lock.lock();
    try {
      Instant due = clock.instant().plus(delay);
      Delayed earlier = later.get(key);
      if (closed || waiting.contains(key) || (earlier != null && !earlier.due().isAfter(due))) {
        return;
      }
      if (earlier != null) {
        earlier.pending().cancel();
      }
      later.put(key, new Delayed(due, delays.after(delay, () -> add(key))));
    } finally {
      lock.unlock();
    }
  }

  /// Adds the key again after a failure, with a growing delay.
  public void retry(K key) {
    retry(key, Duration.ZERO);
  }

  /// Adds the key again like [#retry(Object)], but not before the given time has passed.
  public void retry(K key, Duration atLeast) {
    Duration delay = backoff.after(countFailure(key));
    addAfter(key, delay.compareTo(atLeast) < 0 ? atLeast : delay);
  }

  /// The number of failures of the key in a row.
  public int failures(K key) {
    lock.lock();
    try {
      return failures.getOrDefault(key, 0);
    } finally {
      lock.unlock();
    }
  }

  private int countFailure(K key) {
    lock.lock();
    try {
      retried++;
      int before = failures.getOrDefault(key, 0);
      failures.put(key, before + 1);
      return before;
    } finally {
      lock.unlock();
    }
  }

  /// Resets the key's failures and returns how many there were.
  ///
  /// A loop must call this after a success; otherwise the next failure would wait as long as the
  /// last of the old ones, and the key would stay in memory.
  public int forget(K key) {
    lock.lock();
    try {
      Integer before = failures.remove(key);
      return before == null ? 0 : before;
    } finally {
      lock.unlock();
    }
  }

  /// Waits for a key; the worker must call [#done] with it.
  ///
  /// @throws InterruptedException also when the queue is closed
  public K take() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (order.isEmpty()) {
        if (closed) {
          throw new InterruptedException("the queue is closed");
        }
        available.await();
      }
      K key = order.remove();
      waiting.remove(key);
      running.add(key);
      return key;
    } finally {
      lock.unlock();
    }
  }

  /// Every `take` needs one call, also after a failure; the key would otherwise stay with its
  /// worker for ever.
  public void done(K key) {
    lock.lock();
    try {
      running.remove(key);
      // The key was added while the worker had it; only now may another worker take it.
      if (waiting.contains(key)) {
        order.add(key);
        available.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  public Stats stats() {
    lock.lock();
    try {
      return new Stats(order.size(), later.size(), running.size(), failures.size(), added, retried);
    } finally {
      lock.unlock();
    }
  }

  /// Drops the waiting keys and wakes the workers.
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      order.clear();
      waiting.clear();
      later.values().forEach(delayed -> delayed.pending().cancel());
      later.clear();
      available.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
