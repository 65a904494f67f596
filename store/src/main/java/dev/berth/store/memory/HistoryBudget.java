package dev.berth.store.memory;

import java.util.concurrent.atomic.AtomicLong;

/// The bytes that the histories of all buckets together may keep from the garbage collector. Each
/// history counts its own.
final class HistoryBudget {
  private final long max;
  private final AtomicLong used = new AtomicLong();

  HistoryBudget(long max) {
    this.max = max;
  }

  void take(long bytes) {
    used.addAndGet(bytes);
  }

  void giveBack(long bytes) {
    used.addAndGet(-bytes);
  }

  boolean isExceeded() {
    return used.get() > max;
  }
}
