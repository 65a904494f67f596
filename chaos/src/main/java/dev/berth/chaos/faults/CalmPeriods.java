package dev.berth.chaos.faults;

import java.util.concurrent.atomic.AtomicLong;

/// Tells when no fault is active and the system has recovered from the last one: only then are
/// server errors violations.
public final class CalmPeriods {
  /// Even while the system is calm, odd while it is not; each change counts it up.
  private final AtomicLong period = new AtomicLong(1);

  public void calm() {
    period.updateAndGet(now -> now % 2 == 0 ? now : now + 1);
  }

  public void disturbed() {
    period.updateAndGet(now -> now % 2 == 0 ? now + 1 : now);
  }

  /// To be read before a request and given to `wasCalmSince` after its answer.
  public long mark() {
    return period.get();
  }

  public boolean wasCalmSince(long mark) {
    return mark % 2 == 0 && mark == period.get();
  }
}
