package dev.berth.store.embedded;

import dev.berth.store.Health;
import dev.berth.store.StoreUnavailableException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// A journal that fails on demand, before or after the rows are stored.
final class FaultyJournal implements Journal {
  enum Fault {
    NONE,
    BEFORE_STORING,
    AFTER_STORING
  }

  static final Health.Degraded PROBLEM =
      new Health.Degraded("the journal failed", "the test wants it", "Wait");

  volatile Fault fault = Fault.NONE;
  volatile boolean recovers = true;
  volatile long stored = 1;
  final AtomicInteger appends = new AtomicInteger();

  @Override
  public void append(List<Row> rows, long revision) {
    appends.incrementAndGet();
    if (fault == Fault.BEFORE_STORING) {
      throw failure();
    }
    stored = revision;
    if (fault == Fault.AFTER_STORING) {
      throw failure();
    }
  }

  @Override
  public long recover() {
    if (!recovers) {
      throw failure();
    }
    return stored;
  }

  @Override
  public boolean tidy() {
    return false;
  }

  @Override
  public void close() {}

  private static StoreUnavailableException failure() {
    return new StoreUnavailableException(PROBLEM, null);
  }
}
