package dev.berth.scheduler.scores;

/// Which part of a whole is taken; of nothing, all is.
final class UsedShare {
  private UsedShare() {}

  static double of(long taken, long all) {
    return all <= 0 ? 1 : (double) taken / all;
  }
}
