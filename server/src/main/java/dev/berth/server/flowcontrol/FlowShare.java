package dev.berth.server.flowcontrol;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/// What a flow, or a group of flows, has of the seats of its priority level; guarded by the lock of
/// {@link FlowController}.
abstract sealed class FlowShare permits FlowGroup, FlowQueue {
  /// The one with the fewest seats comes first, then the one with the earliest virtual start.
  static final Comparator<FlowShare> ORDER =
      Comparator.<FlowShare>comparingInt(share -> share.seats)
          .thenComparingLong(share -> share.virtualStart)
          .thenComparingLong(share -> share.number);

  /// The group that this share is a part of; null for the root of a level.
  final @Nullable FlowGroup parent;

  private final long number;

  /// Seats of running requests.
  int seats;

  /// Running requests.
  int requests;

  /// The virtual time at which the next request is due, see {@link LevelSeats#take}.
  long virtualStart;

  /// @param number unique in its level, so that no two shares are equal in {@link #ORDER}
  FlowShare(@Nullable FlowGroup parent, long number) {
    this.parent = parent;
    this.number = number;
  }

  /// Waiting requests.
  abstract int waiting();

  /// Waiting requests that are not heavy.
  abstract int lightWaiting();

  void take(int newSeats, long work) {
    virtualStart += work;
    seats += newSeats;
    requests++;
  }

  void giveBack(int oldSeats) {
    seats -= oldSeats;
    requests--;
  }
}
