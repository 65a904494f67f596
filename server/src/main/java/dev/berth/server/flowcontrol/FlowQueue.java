package dev.berth.server.flowcontrol;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;

/// The requests of one flow: those that wait, oldest first, and how many seats the others hold.
final class FlowQueue {
  /// Requests with the same key share a queue.
  ///
  /// @param name what distinguishes the flow from others of the schema
  /// @param isHeavy heavy requests wait in a queue of their own, so that others of the same user do
  ///   not wait behind them
  record Key(FlowSchema schema, String name, boolean isHeavy) {}

  /// Whoever holds the fewest seats comes first, among equals whoever got the least so far.
  static final Comparator<FlowQueue> ORDER =
      Comparator.<FlowQueue>comparingInt(flow -> flow.seats)
          .thenComparingLong(flow -> flow.virtualStart)
          .thenComparingLong(flow -> flow.number);

  final Key key;
  final Deque<FlowTicket> waiting = new ArrayDeque<>();
  private final long number;

  /// Of requests that are served now.
  int seats;

  int requests;

  /// The virtual time at which the next request is due, see {@link LevelSeats#take}.
  long virtualStart;

  /// @param number different for each queue, so that no two are equal in {@link #ORDER}
  FlowQueue(Key key, long number) {
    this.key = key;
    this.number = number;
  }

  boolean isIdle() {
    return requests == 0 && waiting.isEmpty();
  }
}
