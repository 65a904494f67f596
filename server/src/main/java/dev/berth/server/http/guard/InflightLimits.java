package dev.berth.server.http.guard;

/// How many requests may be served at once; watches and other streams do not count.
///
/// @param readOnly 0 for any number
/// @param mutating 0 for any number
/// @param fairness the sum of both numbers is divided between priority levels, users and
///   namespaces, and requests wait for their turn; otherwise each number is a limit of its own, and
///   what is over the limit is refused
public record InflightLimits(int readOnly, int mutating, boolean fairness) {
  /// Upstream's.
  public static final InflightLimits STANDARD = new InflightLimits(400, 200, true);

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

  /// The limits that are left when priority and fairness does the limiting.
  public InflightLimits countedOnly() {
    return fairness ? new InflightLimits(0, 0, false) : this;
  }
}
