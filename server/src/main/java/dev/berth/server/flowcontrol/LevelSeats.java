package dev.berth.server.flowcontrol;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The seats and the queues of one priority level.
///
/// The idea is upstream's fair queuing: every flow has a virtual start, the flow with the fewest
/// seats and then the earliest start is served next. Heavy requests are ordered apart from the
/// others, because a second limit applies to them. The lock of `FlowController` guards all fields;
/// flows without requests are forgotten, so the maps are bounded by the requests in the server.
final class LevelSeats {
  /// A seat in units of virtual time; large enough to be divided by the number of flows.
  private static final long VIRTUAL_SEAT = 1 << 20;

  final PriorityLevel level;
  final int nominal;

  /// Seats that are never lent to other levels.
  final int own;

  private final Map<FlowQueue.Key, FlowQueue> flows = new HashMap<>();
  private final TreeSet<FlowQueue> light = new TreeSet<>(FlowQueue.ORDER);
  private final TreeSet<FlowQueue> heavy = new TreeSet<>(FlowQueue.ORDER);
  private long numbers;
  private long virtualTime;
  private int used;
  private int waiting;

  LevelSeats(PriorityLevel level, int total) {
    this.level = level;
    this.nominal = level.nominalSeats(total);
    this.own = level.ownSeats(total);
  }

  int waiting() {
    return waiting;
  }

  /// Seats that other levels cannot use now: own seats and used seats.
  int claimed() {
    return Math.max(used, own);
  }

  /// Free own seats.
  int ownFree() {
    return Math.max(0, own - used);
  }

  /// Seats that a request borrows from other levels.
  int borrowed(int seats) {
    return Math.max(used + seats, own) - claimed();
  }

  /// Whether this level has a smaller part of its share than the other.
  boolean isBehind(LevelSeats other) {
    return (long) used * other.nominal < (long) other.used * nominal;
  }

  FlowQueue queue(FlowQueue.Key key) {
    FlowQueue found = flows.get(key);
    if (found == null) {
      found = new FlowQueue(key, ++numbers);
      flows.put(key, found);
    }
    return found;
  }

  @Nullable FlowQueue firstLight() {
    return light.isEmpty() ? null : light.first();
  }

  @Nullable FlowQueue firstHeavy() {
    return heavy.isEmpty() ? null : heavy.first();
  }

  void enqueue(FlowQueue queue, FlowTicket ticket) {
    reorder(
        queue,
        () -> {
          beDue(queue);
          queue.waiting.add(ticket);
        });
    waiting++;
  }

  /// Removes a request that stopped waiting from its queue.
  ///
  /// @return whether it waited
  boolean withdraw(FlowQueue queue, FlowTicket ticket) {
    boolean[] found = new boolean[1];
    reorder(queue, () -> found[0] = queue.waiting.remove(ticket));
    waiting -= found[0] ? 1 : 0;
    forget(queue);
    return found[0];
  }

  /// Takes the oldest request of a queue out of it.
  FlowTicket dequeue(FlowQueue queue) {
    FlowTicket[] oldest = new FlowTicket[1];
    reorder(queue, () -> oldest[0] = queue.waiting.remove());
    waiting--;
    return oldest[0];
  }

  /// A flow that was idle starts at the current virtual time: it gets no credit for the pause.
  private void beDue(FlowQueue queue) {
    if (queue.waiting.isEmpty()) {
      queue.virtualStart = Math.max(queue.virtualStart, virtualTime);
    }
  }

  /// Seats a request that never waited.
  void takeAtOnce(FlowQueue queue, int seats) {
    beDue(queue);
    take(queue, seats);
  }

  /// Virtual time is the service that a permanently busy flow has received: serving a request
  /// advances it by the flow's part of the seats, and the flow is due again when the others have
  /// received as much.
  void take(FlowQueue queue, int seats) {
    long work = seats * VIRTUAL_SEAT;
    reorder(
        queue,
        () -> {
          virtualTime = Math.max(virtualTime + work / flows.size(), queue.virtualStart);
          queue.virtualStart += work;
          queue.seats += seats;
          queue.requests++;
        });
    used += seats;
  }

  void giveBack(FlowQueue queue, int seats) {
    reorder(
        queue,
        () -> {
          queue.seats -= seats;
          queue.requests--;
        });
    used -= seats;
    forget(queue);
  }

  /// The order of queues depends on the changed values, so the queue is removed and inserted again.
  private void reorder(FlowQueue queue, Runnable change) {
    TreeSet<FlowQueue> order = queue.key.isHeavy() ? heavy : light;
    if (!queue.waiting.isEmpty()) {
      order.remove(queue);
    }
    change.run();
    if (!queue.waiting.isEmpty()) {
      order.add(queue);
    }
  }

  /// A flow that comes back starts at the current virtual time, so forgetting it loses nothing but
  /// credit that it must not have.
  void forget(FlowQueue queue) {
    if (queue.isIdle()) {
      flows.remove(queue.key);
    }
  }
}
