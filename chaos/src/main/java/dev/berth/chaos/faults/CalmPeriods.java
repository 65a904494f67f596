package dev.berth.chaos.faults;

import java.util.concurrent.atomic.AtomicLong;

/// Records when no fault is active and the system has recovered. Only then are server errors
/// violations. Any thread may ask; one thread changes the state.
public final class CalmPeriods {
  /// Even while the system is calm, and odd otherwise. Each change increments it, so that a request
  /// can detect a fault that began and ended during it.
  private final AtomicLong period = new AtomicLong(1);

  public void calm() {
    period.updateAndGet(now -> now % 2 == 0 ? now : now + 1);
  }

  public void disturbed() {
    period.updateAndGet(now -> now % 2 == 0 ? now + 1 : now);
  }

  /// Returns a mark before a request, for `wasCalmSince` after its answer.
  public long mark() {
    return period.get();
  }

  public boolean wasCalmSince(long mark) {
    return mark % 2 == 0 && mark == period.get();
  }
}
