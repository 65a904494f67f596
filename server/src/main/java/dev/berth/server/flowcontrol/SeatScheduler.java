package dev.berth.server.flowcontrol;

import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Assigns seats: first to the priority level that is furthest below its share, in it to the group
/// of flows that holds the fewest seats, in it to such a flow, and there to the oldest request.
///
/// Idle seats of a level may be lent, except the part that a level keeps and can use at any time. A
/// flow that holds seats leaves a quarter of what it could reach to others, however slow its
/// requests are, so that a new flow need not wait for it. A group with several flows leaves a
/// sixteenth: many users may be behind one address, and while nobody else asks they may have nearly
/// all seats. A namespace at an address leaves a sixteenth to the other namespaces there, and the
/// address another one to other addresses.
///
/// Neither waits nor reads a clock; guarded by the lock of {@link FlowController}.
final class SeatScheduler {
  /// Limit for the seats of a flow, as a multiple of the seats that remain free.
  private static final int FLOW_TO_FREE = 3;

  /// A shared group leaves this part of what the level can reach to others, and at least one seat.
  private static final int RESERVED_PART = 16;

  private final Map<PriorityLevel, LevelSeats> levels = new EnumMap<>(PriorityLevel.class);
  private final int heavyLimit;

  /// Seats that any level may take while all are idle.
  private final int lendable;

  /// Seats that any level may take now.
  private int shared;

  private int heavy;

  /// What becomes of a request when it arrives.
  enum Arrival {
    SEATED,
    WAITING,
    QUEUE_FULL,
    CONCURRENCY_LIMIT
  }

  /// Whether a request, or one of a group, can be served now.
  private sealed interface Fit {
    record Now(FlowQueue queue) implements Fit {}

    /// Too few free seats; they are reserved for the first request.
    record NoSeats() implements Fit {}

    /// Nothing of this part, without blocking others.
    record NotYet() implements Fit {}

    /// A request waits for seats of this group, without blocking other groups.
    record GroupLimit(FlowGroup group) implements Fit {}
  }

  private static final Fit NO_SEATS = new Fit.NoSeats();
  private static final Fit NOT_YET = new Fit.NotYet();

  SeatScheduler(int seats, int heavyLimit) {
    this.heavyLimit = heavyLimit;
    for (PriorityLevel level : PriorityLevel.values()) {
      if (!level.isExempt()) {
        LevelSeats made = new LevelSeats(level, seats);
        levels.put(level, made);
        shared += made.nominal - made.own;
      }
    }
    lendable = shared;
  }

  LevelSeats of(PriorityLevel level) {
    LevelSeats found = levels.get(level);
    if (found == null) {
      throw new IllegalArgumentException("priority level " + level.title() + " has no seats");
    }
    return found;
  }

  /// The seats that the level can use while all other levels are idle.
  int reachable(PriorityLevel level) {
    return of(level).own + lendable;
  }

  /// After {@link Arrival#WAITING} the caller asks for {@link #next}, until there is none.
  Arrival arrive(FlowTicket ticket) {
    LevelSeats level = of(ticket.schema().level());
    // A request never needs more than the level's own seats, so it does not wait for other levels.
    int seats = Math.min(ticket.cost().seats(), level.own);
    FlowQueue queue = level.queue(ticket);
    ticket.assign(queue, seats);
    if (level.waiting() == 0 && fit(level, queue, ticket) instanceof Fit.Now) {
      account(level, ticket);
      level.takeAtOnce(queue, seats);
      return Arrival.SEATED;
    }
    Arrival arrival =
        level.level.waitingLimit() == 0
            ? Arrival.CONCURRENCY_LIMIT
            : level.waiting() >= level.level.waitingLimit()
                    || queue.waiting.size() >= PriorityLevel.QUEUE_LENGTH
                    || isFull(level.level, queue)
                ? Arrival.QUEUE_FULL
                : Arrival.WAITING;
    if (arrival == Arrival.WAITING) {
      level.enqueue(queue, ticket);
    } else {
      level.forget(queue);
    }
    return arrival;
  }

  private static boolean isFull(PriorityLevel level, FlowQueue queue) {
    for (FlowGroup group = queue.group; group != null; group = group.parent) {
      if (group.waiting() >= group.waitingLimit(level)) {
        return true;
      }
    }
    return false;
  }

  /// Serves a waiting request; null when none can be served now.
  @Nullable FlowTicket next() {
    LevelSeats best = null;
    FlowQueue first = null;
    for (LevelSeats level : levels.values()) {
      if (level.waiting() > 0 && (best == null || level.isBehind(best))) {
        if (candidate(level, level.root(), false) instanceof Fit.Now(FlowQueue queue)) {
          best = level;
          first = queue;
        }
      }
    }
    if (best == null || first == null) {
      return null;
    }
    FlowTicket ticket = best.dequeue(first);
    account(best, ticket);
    best.take(first, ticket.seats());
    return ticket;
  }

  /// If the first request lacks seats, nobody else of the level goes: a request for many seats
  /// would otherwise starve behind small ones. If its group may not take them, nothing else of the
  /// group goes. If only its flow or the heavy limit holds it back, others may go.
  ///
  /// Few parts are passed over, however many wait: only one that holds seats can be at a limit, and
  /// when no heavy request may run, parts that wait with heavy requests alone are not looked at.
  private Fit candidate(LevelSeats level, FlowGroup group, boolean isLightOnly) {
    boolean light = isLightOnly || !mayRunHeavy(group);
    for (FlowShare part : group.order(light)) {
      Fit fit =
          switch (part) {
            case FlowGroup inner -> candidate(level, inner, light);
            case FlowQueue queue -> fit(level, queue, queue.waiting.element());
          };
      switch (fit) {
        case Fit.Now _, Fit.NoSeats _ -> {
          return fit;
        }
        case Fit.GroupLimit(FlowGroup full) when full != part -> {
          return fit;
        }
        case Fit.GroupLimit _, Fit.NotYet _ -> {}
      }
    }
    return NOT_YET;
  }

  private Fit fit(LevelSeats level, FlowQueue queue, FlowTicket ticket) {
    int seats = ticket.seats();
    if (level.borrowed(seats) > shared) {
      return NO_SEATS;
    }
    if (ticket.cost().isHeavy() && !mayRun(queue)) {
      return NOT_YET;
    }
    int free = shared + level.ownFree();
    FlowGroup full = null;
    for (FlowGroup group = queue.group; group != null; group = group.parent) {
      full = mayGroupTake(group, seats, free, level.own + lendable) ? full : group;
    }
    if (full != null) {
      return new Fit.GroupLimit(full);
    }
    return mayTake(queue.seats, seats, free - queue.group.depth) ? new Fit.Now(queue) : NOT_YET;
  }

  private boolean mayRun(FlowQueue queue) {
    for (FlowGroup group = queue.group; group != null; group = group.parent) {
      if (!mayRunHeavy(group)) {
        return false;
      }
    }
    // On a small server a flow must leave one to its group besides the one for other groups.
    return mayTake(queue.requests, 1, heavyLimit - heavy - Math.min(1, queue.group.depth));
  }

  /// A group within another one leaves another part, of all seats and not of the free ones: it must
  /// not wait longer than a group that is in no other.
  private static boolean mayGroupTake(FlowGroup group, int seats, int free, int all) {
    int part = Math.max(1, all / RESERVED_PART);
    boolean leavesRoomInItsGroup =
        group.depth < 2 || group.seats == 0 || group.seats + seats <= all - group.depth * part;
    return leavesRoomInItsGroup
        && mayGroupTake(group.seats, seats, free, group.depth == 0 ? 0 : part);
  }

  /// Heavy requests are short of processors and not of patience: groups within each other leave the
  /// same part, or few could run at once on a small server.
  private boolean mayRunHeavy(FlowGroup group) {
    int free = heavyLimit - heavy;
    int reserved = group.depth == 0 ? 0 : Math.max(1, heavyLimit / RESERVED_PART);
    return free > 0 && mayGroupTake(group.heavy, 1, free, reserved);
  }

  /// Of the reserved part a group takes no more than a flow would.
  private static boolean mayGroupTake(int held, int more, int free, int reserved) {
    return free - more >= reserved || mayTake(held, more, free);
  }

  private static boolean mayTake(int held, int more, int free) {
    // A flow without seats always gets its first ones.
    return held == 0 || held + more <= FLOW_TO_FREE * (free - more);
  }

  /// Called before the level takes the seats.
  private void account(LevelSeats level, FlowTicket ticket) {
    shared -= level.borrowed(ticket.seats());
    heavy += ticket.cost().isHeavy() ? 1 : 0;
  }

  /// The request was served; afterwards the caller asks for {@link #next}, until there is none.
  void leave(FlowTicket ticket) {
    LevelSeats level = of(ticket.schema().level());
    level.giveBack(ticket.queue(), ticket.seats());
    shared += level.borrowed(ticket.seats());
    heavy -= ticket.cost().isHeavy() ? 1 : 0;
  }

  /// The request stopped waiting; as after {@link #leave}, others may be served now.
  ///
  /// @return false when it already has its seats
  boolean withdraw(FlowTicket ticket) {
    return of(ticket.schema().level()).withdraw(ticket.queue(), ticket);
  }
}
