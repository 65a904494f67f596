package dev.berth.store.memory;

import dev.berth.store.Event;
import dev.berth.store.Watch;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// A watch is nothing but a revision and the log that it reads from.
final class MemoryWatch<V> implements Watch<V> {
  private static final int BATCH = 256;

  private final Memory<V> memory;
  private final EventLog<V> log;
  private volatile long progress;

  MemoryWatch(Memory<V> memory, EventLog<V> log, long after) {
    this.memory = memory;
    this.log = log;
    this.progress = after;
  }

  @Override
  public List<Event<V>> next(Duration timeout) throws InterruptedException {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (true) {
      CountDownLatch changed = log.changed();
      memory.checkOpen();
      long visible = memory.revision();
      List<Event<V>> events = log.read(progress, visible, BATCH);
      if (!events.isEmpty()) {
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
    // Nothing is kept for a watch.
  }
}
