package dev.berth.server.flowcontrol;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The seats and the queues of one priority level.
///
/// The idea is upstream's fair queuing: every group of flows has a virtual start, the group with
/// the fewest seats and then the earliest start is served next, and in it likewise a part of the
/// group, down to a flow. The lock of `FlowController` guards all fields; flows and groups without
/// requests are forgotten, so the maps are bounded by the requests in the server.
final class LevelSeats {
  /// A seat in units of virtual time; large enough to be divided by the number of flows.
  private static final long VIRTUAL_SEAT = 1 << 20;

  final PriorityLevel level;
  final int nominal;

  /// Seats that are never lent to other levels.
  final int own;

  private final Map<FlowQueue.Key, FlowQueue> flows = new HashMap<>();
  private final Map<FlowGroup.Key, FlowGroup> groups = new HashMap<>();

  /// All waiting requests of the level.
  private final FlowGroup root = FlowGroup.root();

  private long numbers;
  private int used;

  LevelSeats(PriorityLevel level, int total) {
    this.level = level;
    this.nominal = level.nominalSeats(total);
    this.own = level.ownSeats(total);
  }

  int waiting() {
    return root.waiting();
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
      FlowGroup group = group(ticket.groups());
      group.parts++;
      found = new FlowQueue(ticket.key(), group, ++numbers);
      flows.put(ticket.key(), found);
    }
    return found;
  }

  /// The innermost group exists or is made; only then its parents are looked for, because a
  /// namespace that is already busy stays with the address of its first request.
  ///
  /// @param keys outermost first
  private FlowGroup group(List<FlowGroup.Key> keys) {
    if (keys.isEmpty()) {
      return root;
    }
    FlowGroup found = groups.get(keys.getLast());
    if (found != null) {
      return found;
    }
    FlowGroup parent = group(keys.subList(0, keys.size() - 1));
    FlowGroup made = FlowGroup.in(parent, keys.getLast(), ++numbers);
    parent.parts++;
    groups.put(keys.getLast(), made);
    return made;
  }

  /// All flows and groups of the level, with their waiting requests.
  FlowGroup root() {
    return root;
  }

  void enqueue(FlowQueue queue, FlowTicket ticket) {
    reorder(
        queue,
        () -> {
          beDue(queue);
          queue.waiting.add(ticket);
          countWaiting(queue, 1);
        });
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
          countWaiting(queue, found[0] ? -1 : 0);
        });
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
          countWaiting(queue, -1);
        });
    return oldest[0];
  }

  private static void countWaiting(FlowQueue queue, int change) {
    for (FlowGroup group = queue.group; group != null; group = group.parent) {
      group.addWaiting(change, queue.key.isHeavy());
    }
  }

  /// A flow or group that was idle starts at the current virtual time: it gets no credit for the
  /// pause.
  private static void beDue(FlowQueue queue) {
    FlowShare part = queue;
    for (FlowGroup group = queue.group; group != null; group = group.parent) {
      if (part.waiting() == 0) {
        part.virtualStart = Math.max(part.virtualStart, group.virtualTime);
      }
      part = group;
    }
  }

  /// Seats a request that never waited.
  void takeAtOnce(FlowQueue queue, int seats) {
    beDue(queue);
    take(queue, seats);
  }

  /// Virtual time is the service that a permanently busy group has received: serving a request
  /// advances it by the group's part of the seats, and the group is due again when the others have
  /// received as much. The parts of a group share its service in the same way.
  void take(FlowQueue queue, int seats) {
    long work = seats * VIRTUAL_SEAT;
    reorder(
        queue,
        () -> {
          FlowShare part = queue;
          for (FlowGroup group = queue.group; group != null; group = group.parent) {
            group.virtualTime = Math.max(group.virtualTime + work / group.parts, part.virtualStart);
            group.heavy += queue.key.isHeavy() ? 1 : 0;
            part.take(seats, work);
            part = group;
          }
        });
    used += seats;
  }

  void giveBack(FlowQueue queue, int seats) {
    reorder(
        queue,
        () -> {
          FlowShare part = queue;
          for (FlowGroup group = queue.group; group != null; group = group.parent) {
            group.heavy -= queue.key.isHeavy() ? 1 : 0;
            part.giveBack(seats);
            part = group;
          }
        });
    used -= seats;
    forget(queue);
  }

  private static void reorder(FlowQueue queue, Runnable change) {
    FlowShare part = queue;
    for (FlowGroup group = queue.group; group != null; group = group.parent) {
      group.takeOut(part);
      part = group;
    }
    change.run();
    part = queue;
    for (FlowGroup group = queue.group; group != null; group = group.parent) {
      group.insert(part);
      part = group;
    }
  }

  /// A flow that comes back starts at the current virtual time, so forgetting it loses nothing but
  /// credit that it must not have.
  void forget(FlowQueue queue) {
    if (!queue.isIdle() || !flows.remove(queue.key, queue)) {
      return;
    }
    FlowGroup group = queue.group;
    while (--group.parts == 0 && group.key != null && group.parent != null) {
      groups.remove(group.key);
      group = group.parent;
    }
  }
}
