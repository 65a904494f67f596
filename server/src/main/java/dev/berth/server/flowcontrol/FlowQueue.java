package dev.berth.server.flowcontrol;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;

/// The waiting requests of one flow, oldest first, and the seats that its running requests hold.
final class FlowQueue {
  /// Requests with the same key share a queue.
  ///
  /// @param name distinguishes the flow within its schema
  /// @param isHeavy heavy requests have a queue of their own, so that other requests of the same
  ///   user do not wait behind them
  record Key(FlowSchema schema, String name, boolean isHeavy) {}

  /// The flow with the fewest seats comes first, then the one with the earliest virtual start.
  static final Comparator<FlowQueue> ORDER =
      Comparator.<FlowQueue>comparingInt(flow -> flow.seats)
          .thenComparingLong(flow -> flow.virtualStart)
          .thenComparingLong(flow -> flow.number);

  final Key key;
  final Deque<FlowTicket> waiting = new ArrayDeque<>();
  private final long number;

  /// Seats of running requests.
  int seats;

  int requests;

  /// The virtual time at which the next request is due, see {@link LevelSeats#take}.
  long virtualStart;

  /// @param number unique, so that no two queues are equal in {@link #ORDER}
  FlowQueue(Key key, long number) {
    this.key = key;
    this.number = number;
  }

  boolean isIdle() {
    return requests == 0 && waiting.isEmpty();
  }
}
