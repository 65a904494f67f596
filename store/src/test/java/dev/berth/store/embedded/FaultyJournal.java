package dev.berth.store.embedded;

import dev.berth.store.StoreHealth;
import dev.berth.store.StoreUnavailableException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A journal that fails on demand, before or after the rows are stored.
final class FaultyJournal implements RowJournal {
  enum Fault {
    NONE,
    BEFORE_STORING,
    AFTER_STORING
  }

  static final StoreHealth.Degraded PROBLEM =
      new StoreHealth.Degraded("the journal failed", "the test wants it", "Wait");

  volatile Fault fault = Fault.NONE;
  volatile boolean recovers = true;
  volatile long stored = 1;
  final AtomicInteger appends = new AtomicInteger();

  /// What is stored: revisions by key.
  final Map<String, Long> contents = new ConcurrentHashMap<>();

  /// Chooses the faults, when set.
  volatile @Nullable Random chance;

  @Override
  public void append(List<JournalRow> rows, long revision) {
    appends.incrementAndGet();
    Fault now = next();
    if (now == Fault.BEFORE_STORING) {
      throw failure();
    }
    stored = revision;
    rows.forEach(this::store);
    if (now == Fault.AFTER_STORING) {
      throw failure();
    }
  }

  private Fault next() {
    Random random = chance;
    if (random == null) {
      return fault;
    }
    return switch (random.nextInt(200)) {
      case 0 -> Fault.BEFORE_STORING;
      case 1 -> Fault.AFTER_STORING;
      default -> Fault.NONE;
    };
  }

  private void store(JournalRow row) {
    if (row.value() == null) {
      contents.remove(row.key());
    } else {
      contents.put(row.key(), row.revision());
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
