package dev.berth.store.memory;

import dev.berth.store.StoreEvent;
import dev.berth.store.StoreWatch;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// A watch consists of a revision and the log that it reads.
final class MemoryWatch<V> implements StoreWatch<V> {
  private static final int BATCH = 256;

  private final MemoryStore<V> memory;
  private final EventLog<V> log;
  private volatile long progress;

  MemoryWatch(MemoryStore<V> memory, EventLog<V> log, long after) {
    this.memory = memory;
    this.log = log;
    this.progress = after;
  }

  @Override
  public List<StoreEvent<V>> next(Duration timeout) throws InterruptedException {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (true) {
      // The latch comes before the revision and the read: a change after them opens this latch.
      CountDownLatch changed = log.changed();
      memory.checkOpen();
      long visible = memory.revision();
      List<StoreEvent<V>> events = log.read(progress, visible, BATCH);
      if (!events.isEmpty()) {
        // A short batch proves that the log has nothing more up to the visible revision.
        progress = events.size() < BATCH ? visible : events.getLast().revision();
        return events;
      }
      progress = Math.max(progress, visible);
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        return events;
      }
      changed.await(left, TimeUnit.NANOSECONDS);
    }
  }

  @Override
  public long progress() {
    return progress;
  }

  @Override
  public void close() {
    // The store keeps no state for a watch.
  }
}
