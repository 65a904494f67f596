package dev.berth.sim.knobs;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.DoubleSupplier;

/// Counts how often a rule matched and how often it took effect. Any thread may call it; the
/// decision and its count are one step, so that a rule with `count: 1` acts exactly once.
final class RuleCounter {
  private final RuleFrequency frequency;
  private final DoubleSupplier chance;
  private final ReentrantLock lock = new ReentrantLock();

  /// Guarded by the lock.
  private long met;

  private long acted;

  RuleCounter(RuleFrequency frequency, DoubleSupplier chance) {
    this.frequency = frequency;
    this.chance = chance;
  }

  boolean acts() {
    lock.lock();
    try {
      if (met++ < frequency.after() || (frequency.count() > 0 && acted >= frequency.count())) {
        return false;
      }
      if (frequency.probability() < 1 && chance.getAsDouble() >= frequency.probability()) {
        return false;
      }
      acted++;
      return true;
    } finally {
      lock.unlock();
    }
  }

  long acted() {
    lock.lock();
    try {
      return acted;
    } finally {
      lock.unlock();
    }
  }
}
