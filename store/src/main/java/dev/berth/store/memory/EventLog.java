package dev.berth.store.memory;

import dev.berth.store.RevisionCompactedException;
import dev.berth.store.StoreEvent;
import dev.berth.store.StoreLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;

/// The bounded history of one bucket. All buckets share one budget for values. All watches of the
/// bucket read from this log; none has a queue of its own.
///
/// The lock is held only to copy references, never while waiting. Readers wait on a latch that the
/// next signal replaces: waking a thousand watches costs the writer one wake-up, and the woken
/// threads wake each other.
final class EventLog<V> {
  /// Approximate bytes of an event beside the value that it keeps from the garbage collector.
  private static final int EVENT_BYTES = 128;

  private record Slot<V>(StoreEvent<V> event, long millis, long bytes) {}

  private final StoreLimits limits;
  private final HistoryBudget budget;
  private final ReentrantLock lock = new ReentrantLock();
  // Guarded by lock.
  private final IndexedQueue<Slot<V>> slots = new IndexedQueue<>();
  private long bytes;

  /// New readers start at or after `floor`; readers that run need events after `dropped` only. A
  /// compaction raises the first and not always the second.
  private long floor;

  private long dropped;

  private final AtomicReference<CountDownLatch> changed =
      new AtomicReference<>(new CountDownLatch(1));

  /// @param floor the oldest revision that a new reader may start from
  EventLog(StoreLimits limits, HistoryBudget budget, long floor) {
    this.limits = limits;
    this.budget = budget;
    this.floor = floor;
    this.dropped = floor;
  }

  void append(StoreEvent<V> event, int previousBytes, long nowMillis) {
    lock.lock();
    try {
      long weight = EVENT_BYTES + (long) previousBytes;
      slots.addLast(new Slot<>(event, nowMillis, weight));
      bytes += weight;
      budget.take(weight);
      prune(nowMillis);
    } finally {
      lock.unlock();
    }
  }

  void dropOld(long nowMillis) {
    lock.lock();
    try {
      prune(nowMillis);
    } finally {
      lock.unlock();
    }
  }

  private void prune(long nowMillis) {
    long oldestMillis = nowMillis - limits.history().toMillis();
    while (slots.size() > 0
        && (slots.size() > limits.maxEvents() || slots.get(0).millis() < oldestMillis)) {
      dropFirst();
    }
  }

  /// Bytes that its events keep from the garbage collector.
  long bytes() {
    lock.lock();
    try {
      return bytes;
    } finally {
      lock.unlock();
    }
  }

  /// Drops events, oldest first, while all logs together exceed the budget.
  void dropWhileOverBudget() {
    lock.lock();
    try {
      while (slots.size() > 0 && budget.isExceeded()) {
        dropFirst();
      }
    } finally {
      lock.unlock();
    }
  }

  private void dropFirst() {
    Slot<V> slot = slots.removeFirst();
    bytes -= slot.bytes();
    budget.giveBack(slot.bytes());
    dropped = slot.event().revision();
    floor = Math.max(floor, dropped);
  }

  /// Refuses new readers before the revision and drops events up to it; readers that have already
  /// passed them go on.
  void compact(long revision) {
    lock.lock();
    try {
      floor = Math.max(floor, revision);
      while (slots.size() > 0 && slots.get(0).event().revision() <= revision) {
        dropFirst();
      }
    } finally {
      lock.unlock();
    }
  }

  /// Drops all events, because events up to the revision were missed: readers before it must list
  /// again.
  void expire(long revision) {
    lock.lock();
    try {
      while (slots.size() > 0) {
        dropFirst();
      }
      floor = revision;
      dropped = revision;
    } finally {
      lock.unlock();
    }
  }

  /// @throws RevisionCompactedException when a new reader cannot start after the revision
  void checkStart(long revision) {
    lock.lock();
    try {
      if (revision < floor) {
        throw new RevisionCompactedException(revision, floor);
      }
    } finally {
      lock.unlock();
    }
  }

  /// The events after one revision up to another; more than `max` only to complete a revision.
  List<StoreEvent<V>> read(long after, long upTo, int max) {
    lock.lock();
    try {
      if (after < dropped) {
        throw new RevisionCompactedException(after, floor);
      }
      int from = firstAfter(after);
      if (from == slots.size() || slots.get(from).event().revision() > upTo) {
        return List.of();
      }
      List<StoreEvent<V>> events = new ArrayList<>(Math.min(max, slots.size() - from));
      for (int i = from; i < slots.size(); i++) {
        StoreEvent<V> event = slots.get(i).event();
        boolean enough = events.size() >= max && event.revision() != events.getLast().revision();
        if (enough || event.revision() > upTo) {
          break;
        }
        events.add(event);
      }
      return events;
    } finally {
      lock.unlock();
    }
  }

  private int firstAfter(long revision) {
    int low = 0;
    int high = slots.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (slots.get(middle).event().revision() <= revision) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /// The latch that the next signal releases. Take it before reading, so that no event between
  /// reading and waiting is missed.
  CountDownLatch changed() {
    return changed.get();
  }

  void signal() {
    changed.getAndSet(new CountDownLatch(1)).countDown();
  }
}
