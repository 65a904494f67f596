package dev.berth.server.flowcontrol;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

/// The seats and the queues of one priority level.
///
/// The idea is upstream's fair queuing: every group of flows has a virtual start, the group with
/// the fewest seats and then the earliest start is served next, and in it likewise a flow. Heavy
/// requests of a group are ordered apart from the others, because a second limit applies to them.
/// The lock of `FlowController` guards all fields; flows and groups without requests are forgotten,
/// so the maps are bounded by the requests in the server.
final class LevelSeats {
  /// A seat in units of virtual time; large enough to be divided by the number of flows.
  private static final long VIRTUAL_SEAT = 1 << 20;

  final PriorityLevel level;
  final int nominal;

  /// Seats that are never lent to other levels.
  final int own;

  private final Map<FlowQueue.Key, FlowQueue> flows = new HashMap<>();
  private final Map<FlowGroup.Key, FlowGroup> groups = new HashMap<>();

  /// Groups with waiting requests.
  private final TreeSet<FlowGroup> order = new TreeSet<>(FlowShare.ORDER);

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

  /// The queue of a request; a queue and a group exist while they have requests.
  FlowQueue queue(FlowTicket ticket) {
    FlowQueue found = flows.get(ticket.key());
    if (found == null) {
      FlowGroup group =
          groups.computeIfAbsent(ticket.group(), key -> new FlowGroup(key, ++numbers));
      group.flows++;
      found = new FlowQueue(ticket.key(), group, ++numbers);
      flows.put(ticket.key(), found);
    }
    return found;
  }

  /// The groups with waiting requests, the next one first.
  Iterable<FlowGroup> order() {
    return order;
  }

  void enqueue(FlowQueue queue, FlowTicket ticket) {
    reorder(
        queue,
        () -> {
          beDue(queue);
          queue.waiting.add(ticket);
          queue.group.waiting++;
        });
    waiting++;
  }

  /// Removes a request that stopped waiting from its queue.
  ///
  /// @return whether it waited
  boolean withdraw(FlowQueue queue, FlowTicket ticket) {
    boolean[] found = new boolean[1];
    reorder(
        queue,
        () -> {
          found[0] = queue.waiting.remove(ticket);
          queue.group.waiting -= found[0] ? 1 : 0;
        });
    waiting -= found[0] ? 1 : 0;
    forget(queue);
    return found[0];
  }

  /// Takes the oldest request of a queue out of it.
  FlowTicket dequeue(FlowQueue queue) {
    FlowTicket[] oldest = new FlowTicket[1];
    reorder(
        queue,
        () -> {
          oldest[0] = queue.waiting.remove();
          queue.group.waiting--;
        });
    waiting--;
    return oldest[0];
  }

  /// A flow or group that was idle starts at the current virtual time: it gets no credit for the
  /// pause.
  private void beDue(FlowQueue queue) {
    FlowGroup group = queue.group;
    if (queue.waiting.isEmpty()) {
      queue.virtualStart = Math.max(queue.virtualStart, group.virtualTime);
    }
    if (group.waiting == 0) {
      group.virtualStart = Math.max(group.virtualStart, virtualTime);
    }
  }

  /// Seats a request that never waited.
  void takeAtOnce(FlowQueue queue, int seats) {
    beDue(queue);
    take(queue, seats);
  }

  /// Virtual time is the service that a permanently busy group has received: serving a request
  /// advances it by the group's part of the seats, and the group is due again when the others have
  /// received as much. The flows of a group share its service in the same way.
  void take(FlowQueue queue, int seats) {
    long work = seats * VIRTUAL_SEAT;
    reorder(
        queue,
        () -> {
          FlowGroup group = queue.group;
          virtualTime = Math.max(virtualTime + work / groups.size(), group.virtualStart);
          group.virtualTime = Math.max(group.virtualTime + work / group.flows, queue.virtualStart);
          group.take(seats, work);
          group.heavy += queue.key.isHeavy() ? 1 : 0;
          queue.take(seats, work);
        });
    used += seats;
  }

  void giveBack(FlowQueue queue, int seats) {
    reorder(
        queue,
        () -> {
          queue.giveBack(seats);
          queue.group.giveBack(seats);
          queue.group.heavy -= queue.key.isHeavy() ? 1 : 0;
        });
    used -= seats;
    forget(queue);
  }

  /// The order of groups depends on the changed values, so the group is removed and inserted again.
  private void reorder(FlowQueue queue, Runnable change) {
    FlowGroup group = queue.group;
    if (group.waiting > 0) {
      order.remove(group);
    }
    group.reorder(queue, change);
    if (group.waiting > 0) {
      order.add(group);
    }
  }

  /// A flow that comes back starts at the current virtual time, so forgetting it loses nothing but
  /// credit that it must not have.
  void forget(FlowQueue queue) {
    if (queue.isIdle() && flows.remove(queue.key, queue) && --queue.group.flows == 0) {
      groups.remove(queue.group.key);
    }
  }
}
