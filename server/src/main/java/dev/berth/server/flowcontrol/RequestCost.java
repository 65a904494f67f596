package dev.berth.server.flowcontrol;

/// The cost of one request.
///
/// @param seats of its priority level
/// @param isHeavy whether it reads many objects without a pause. Virtual threads are not preempted,
///   so only a few such requests run at once, see {@link FlowLimits#heavy}.
public record RequestCost(int seats, boolean isHeavy) {
  public static final RequestCost ONE = new RequestCost(1, false);

  /// A request over at least this number of objects is heavy.
  public static final int MANY_OBJECTS = 200;

  /// Upstream's work estimator for lists.
  private static final int OBJECTS_PER_SEAT = 100;

  /// Upstream's `maximumSeats`: a list over a hundred thousand objects must still find its seats.
  private static final int MOST_SEATS = 10;

  public RequestCost {
    if (seats < 1) {
      throw new IllegalArgumentException("a request takes at least one seat, not " + seats);
    }
  }

  /// The cost of reading objects, by upstream's rule: one seat per hundred objects, at most ten.
  public static RequestCost ofObjects(int objects) {
    int seats = Math.clamp(Math.ceilDiv(objects, OBJECTS_PER_SEAT), 1, MOST_SEATS);
    return new RequestCost(seats, objects >= MANY_OBJECTS);
  }
}
