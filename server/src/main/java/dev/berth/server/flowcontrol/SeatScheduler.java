package dev.berth.server.flowcontrol;

import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Assigns seats: first to the priority level that is furthest below its share, in it to the flow
/// that holds the fewest seats, and there to the oldest request.
///
/// Idle seats of a level may be lent, except the part that a level keeps and can use at any time. A
/// flow that holds seats leaves a quarter of what it could reach to others, however slow its
/// requests are, so that a new flow need not wait for it.
///
/// Neither waits nor reads a clock; guarded by the lock of {@link FlowController}.
final class SeatScheduler {
  /// Limit for the seats of a flow, as a multiple of the seats that remain free.
  private static final int FLOW_TO_FREE = 3;

  private final Map<PriorityLevel, LevelSeats> levels = new EnumMap<>(PriorityLevel.class);
  private final int heavyLimit;

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
    NOT_YET
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
    LevelSeats one = of(level);
    return one.own + levels.values().stream().mapToInt(each -> each.nominal - each.own).sum();
  }

  /// After {@link Arrival#WAITING} the caller asks for {@link #next}, until there is none.
  Arrival arrive(FlowTicket ticket) {
    LevelSeats level = of(ticket.schema().level());
    // A request never needs more than the level's own seats, so it does not wait for other levels.
    int seats = Math.min(ticket.cost().seats(), level.own);
    FlowQueue queue = level.queue(ticket.key());
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
  /// would otherwise starve behind small ones. If only its flow or the heavy limit holds it back,
  /// the other kind may go.
  private @Nullable FlowQueue candidate(LevelSeats level) {
    FlowQueue light = level.firstLight();
    FlowQueue heavyOne = level.firstHeavy();
    boolean isLightFirst =
        heavyOne == null || (light != null && FlowQueue.ORDER.compare(light, heavyOne) < 0);
    FlowQueue first = isLightFirst ? light : heavyOne;
    FlowQueue second = isLightFirst ? heavyOne : light;
    return switch (fit(level, first)) {
      case NOW -> first;
      case NO_SEATS -> null;
      case NOT_YET -> fit(level, second) == Fit.NOW ? second : null;
    };
  }

  private Fit fit(LevelSeats level, @Nullable FlowQueue queue) {
    FlowTicket oldest = queue == null ? null : queue.waiting.peek();
    return queue == null || oldest == null ? Fit.NOT_YET : fit(level, queue, oldest);
  }

  private Fit fit(LevelSeats level, FlowQueue queue, FlowTicket ticket) {
    int seats = ticket.seats();
    if (level.borrowed(seats) > shared) {
      return Fit.NO_SEATS;
    }
    boolean hasRoom = mayTake(queue.seats, seats, shared + level.ownFree());
    boolean mayRun =
        !ticket.cost().isHeavy()
            || (heavy < heavyLimit && mayTake(queue.requests, 1, heavyLimit - heavy));
    return hasRoom && mayRun ? Fit.NOW : Fit.NOT_YET;
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
