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
/// all seats.
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

  /// Whether a request can be served now.
  private enum Fit {
    NOW,
    /// Too few free seats; they are reserved for this request.
    NO_SEATS,
    /// The request waits without blocking others.
    NOT_YET,
    /// The request waits for seats of its group, without blocking other groups.
    GROUP_LIMIT
  }

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
    if (level.waiting() == 0 && fit(level, queue, ticket) == Fit.NOW) {
      account(level, ticket);
      level.takeAtOnce(queue, seats);
      return Arrival.SEATED;
    }
    Arrival arrival =
        level.level.waitingLimit() == 0
            ? Arrival.CONCURRENCY_LIMIT
            : level.waiting() >= level.level.waitingLimit()
                    || queue.waiting.size() >= PriorityLevel.QUEUE_LENGTH
                    || queue.group.waiting >= level.level.waitingLimitOfGroup()
                ? Arrival.QUEUE_FULL
                : Arrival.WAITING;
    if (arrival == Arrival.WAITING) {
      level.enqueue(queue, ticket);
    } else {
      level.forget(queue);
    }
    return arrival;
  }

  /// Serves a waiting request; null when none can be served now.
  @Nullable FlowTicket next() {
    LevelSeats best = null;
    FlowQueue first = null;
    for (LevelSeats level : levels.values()) {
      if (level.waiting() > 0 && (best == null || level.isBehind(best))) {
        FlowQueue queue = candidate(level);
        if (queue != null) {
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
  /// group goes. If only its flow or the heavy limit holds it back, the other kind may go.
  ///
  /// For want of seats few groups are passed over: only one that holds seats can be at a limit. At
  /// the heavy limit every group that waits with heavy requests alone is passed over, so the cost
  /// grows with their number.
  private @Nullable FlowQueue candidate(LevelSeats level) {
    for (FlowGroup group : level.order()) {
      for (FlowQueue queue : group.first()) {
        Fit fit = fit(level, queue, queue.waiting.element());
        if (fit == Fit.NOW) {
          return queue;
        }
        if (fit == Fit.NO_SEATS) {
          return null;
        }
        if (fit == Fit.GROUP_LIMIT) {
          break;
        }
      }
    }
    return null;
  }

  private Fit fit(LevelSeats level, FlowQueue queue, FlowTicket ticket) {
    int seats = ticket.seats();
    if (level.borrowed(seats) > shared) {
      return Fit.NO_SEATS;
    }
    FlowGroup group = queue.group;
    int free = shared + level.ownFree();
    int reserved = reserved(group, level.own + lendable);
    if (ticket.cost().isHeavy() && !mayRun(queue)) {
      return Fit.NOT_YET;
    }
    if (!mayGroupTake(group.seats, seats, free, reserved)) {
      return Fit.GROUP_LIMIT;
    }
    return mayTake(queue.seats, seats, free - last(group)) ? Fit.NOW : Fit.NOT_YET;
  }

  private boolean mayRun(FlowQueue queue) {
    int free = heavyLimit - heavy;
    int reserved = reserved(queue.group, heavyLimit);
    return free > 0
        && mayGroupTake(queue.group.heavy, 1, free, reserved)
        && mayTake(queue.requests, 1, free - last(queue.group));
  }

  /// The part that a group does not take from others.
  private static int reserved(FlowGroup group, int all) {
    return group.key.isShared() ? Math.max(1, all / RESERVED_PART) : 0;
  }

  /// On a small server a flow must leave one seat to its group besides the one for other groups.
  private static int last(FlowGroup group) {
    return group.key.isShared() ? 1 : 0;
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
