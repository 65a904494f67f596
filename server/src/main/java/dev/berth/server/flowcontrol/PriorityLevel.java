package dev.berth.server.flowcontrol;

/// Upstream's built-in priority levels, with upstream's shares of the server's seats.
public enum PriorityLevel {
  /// Requests that neither wait nor take seats: administrators and health checks.
  EXEMPT("exempt", 0, 0, 0),
  SYSTEM("system", 30, 33, 64),
  NODE_HIGH("node-high", 40, 25, 64),
  LEADER_ELECTION("leader-election", 10, 0, 16),
  WORKLOAD_HIGH("workload-high", 40, 50, 128),
  WORKLOAD_LOW("workload-low", 100, 90, 128),
  GLOBAL_DEFAULT("global-default", 20, 50, 128),
  CATCH_ALL("catch-all", 5, 0, 0);

  /// Limit for waiting requests of one flow.
  static final int QUEUE_LENGTH = 50;

  private final String title;
  private final int shares;
  private final int lendablePercent;
  private final int queues;

  /// @param shares the level's part of all shares, upstream's `nominalConcurrencyShares`
  /// @param lendablePercent percentage of the seats that other levels may use while they are idle
  /// @param queues 0 when requests are refused instead of queued; upstream has this many queues,
  ///   here the product with their length limits how many requests of a level wait
  PriorityLevel(String title, int shares, int lendablePercent, int queues) {
    this.title = title;
    this.shares = shares;
    this.lendablePercent = lendablePercent;
    this.queues = queues;
  }

  /// Upstream's name, as in metrics, messages and the log.
  public String title() {
    return title;
  }

  boolean isExempt() {
    return shares == 0;
  }

  /// The seats of the level when all levels are busy, at least one.
  int nominalSeats(int total) {
    int all = 0;
    for (PriorityLevel level : values()) {
      all += level.shares;
    }
    return Math.ceilDiv(total * shares, all);
  }

  /// The part of the nominal seats that other levels never use.
  int ownSeats(int total) {
    int nominal = nominalSeats(total);
    return nominal - nominal * lendablePercent / 100;
  }

  /// Limit for waiting requests of the level.
  int waitingLimit() {
    return queues * QUEUE_LENGTH;
  }
}
