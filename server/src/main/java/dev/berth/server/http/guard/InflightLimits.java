package dev.berth.server.http.guard;

/// Limits for concurrent requests; watches and other streams do not count.
///
/// @param readOnly limit for read requests, 0 for no limit
/// @param mutating limit for write requests, 0 for no limit
/// @param fairness whether priority and fairness divides the sum of both limits between priority
///   levels and flows and queues requests; otherwise each limit applies to its own requests and
///   requests over it are rejected
public record InflightLimits(int readOnly, int mutating, boolean fairness) {
  /// Upstream's defaults.
  public static final InflightLimits STANDARD = new InflightLimits(400, 200, true);

  /// Keeps computations with seats far from overflow.
  private static final int MOST_SEATS = 1_000_000;

  public InflightLimits {
    if (readOnly < 0 || mutating < 0) {
      throw new IllegalArgumentException("numbers of requests must not be negative");
    }
    if (fairness && readOnly == 0 && mutating == 0) {
      throw new IllegalArgumentException("there is nothing to divide between users");
    }
  }

  /// Seats of all priority levels together.
  public int seats() {
    return (int) Math.min((long) readOnly + mutating, MOST_SEATS);
  }

  /// The limits that remain when priority and fairness does the limiting.
  public InflightLimits countedOnly() {
    return fairness ? new InflightLimits(0, 0, false) : this;
  }
}
