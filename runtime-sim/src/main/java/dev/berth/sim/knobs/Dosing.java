package dev.berth.sim.knobs;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.DoubleSupplier;

/// Counts how often a rule was met and how often it acted.
final class Dosing {
  private final Dose dose;
  private final DoubleSupplier chance;
  private final ReentrantLock lock = new ReentrantLock();

  /// Guarded by the lock.
  private long met;

  private long acted;

  Dosing(Dose dose, DoubleSupplier chance) {
    this.dose = dose;
    this.chance = chance;
  }

  boolean acts() {
    lock.lock();
    try {
      if (met++ < dose.after() || (dose.count() > 0 && acted >= dose.count())) {
        return false;
      }
      if (dose.probability() < 1 && chance.getAsDouble() >= dose.probability()) {
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
