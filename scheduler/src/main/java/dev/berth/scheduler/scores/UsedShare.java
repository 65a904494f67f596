package dev.berth.scheduler.scores;

/// The used fraction of a capacity; 1 when the capacity is zero.
final class UsedShare {
  private UsedShare() {}

  static double of(long taken, long all) {
    return all <= 0 ? 1 : (double) taken / all;
  }
}
