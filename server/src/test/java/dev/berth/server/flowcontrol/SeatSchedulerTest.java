package dev.berth.server.flowcontrol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.flowcontrol.SeatScheduler.Arrival;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// The decision alone: no threads, and no time but the virtual one.
class SeatSchedulerTest {
  private static final FlowSchema USERS = schema("global-default");
  private static final FlowSchema ACCOUNTS = schema("service-accounts");
  private static final FlowSchema NODES = schema("system-node-high");
  private static final RequestCost HEAVY = new RequestCost(10, true);

  private final SeatScheduler seats = new SeatScheduler(600, 4);

  private static FlowSchema schema(String name) {
    return FlowSchemas.ALL.stream()
        .filter(one -> one.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static FlowTicket ticket(FlowSchema schema, String flow, RequestCost cost) {
    return new FlowTicket(null, schema, flow, cost, 0);
  }

  private Arrival arrive(FlowSchema schema, String flow) {
    return seats.arrive(ticket(schema, flow, RequestCost.ONE));
  }

  /// Whether a request is served without waiting.
  private static boolean isServed(SeatScheduler seats, FlowTicket ticket) {
    Arrival arrival = seats.arrive(ticket);
    if (arrival == Arrival.WAITING && seats.next() != ticket) {
      seats.withdraw(ticket);
      return false;
    }
    return arrival == Arrival.SEATED || arrival == Arrival.WAITING;
  }

  /// Requests that are served without waiting, until one is not.
  private List<FlowTicket> fill(FlowSchema schema, String flow, RequestCost cost) {
    List<FlowTicket> served = new ArrayList<>();
    for (FlowTicket next = ticket(schema, flow, cost);
        isServed(seats, next);
        next = ticket(schema, flow, cost)) {
      served.add(next);
    }
    return served;
  }

  @Test
  void idleSeatsOfOtherLevelsAreUsedExceptTheirOwn() {
    int served = 0;
    while (arrive(USERS, "user-" + served) == Arrival.SEATED) {
      served++;
    }

    assertThat(served).isEqualTo(seats.reachable(PriorityLevel.GLOBAL_DEFAULT)).isEqualTo(366);
    assertThat(fill(NODES, "a", RequestCost.ONE)).isNotEmpty();
    assertThat(arrive(ACCOUNTS, "app")).isEqualTo(Arrival.SEATED);
  }

  @Test
  void aFlowLeavesAQuarterToOthersAndTwoASeventh() {
    assertThat(fill(USERS, "mallory", RequestCost.ONE)).hasSize(274);
    assertThat(fill(USERS, "trudy", RequestCost.ONE)).hasSize(69);
    assertThat(fill(USERS, "ann", RequestCost.ONE)).hasSize(17);
    assertThat(fill(USERS, "bob", RequestCost.ONE)).isNotEmpty();
  }

  @Test
  void heavyRequestsAreFewAndOneFlowDoesNotTakeThemAll() {
    assertThat(fill(ACCOUNTS, "mallory", HEAVY)).hasSize(3);
    assertThat(fill(ACCOUNTS, "ann", HEAVY)).hasSize(1);
    assertThat(fill(ACCOUNTS, "bob", HEAVY)).isEmpty();
    // Whoever waits with a list does not wait with anything else.
    assertThat(seats.arrive(ticket(ACCOUNTS, "mallory", HEAVY))).isEqualTo(Arrival.WAITING);
    assertThat(isServed(seats, ticket(ACCOUNTS, "mallory", RequestCost.ONE))).isTrue();
  }

  @Test
  void whoHoldsFewerSeatsIsNext() {
    List<FlowTicket> first = fill(USERS, "mallory", RequestCost.ONE);
    for (int i = 0; i < 40; i++) {
      assertThat(arrive(USERS, "mallory")).isEqualTo(Arrival.WAITING);
      assertThat(arrive(USERS, "ann")).isEqualTo(Arrival.WAITING);
    }
    Map<String, Integer> held = new HashMap<>(Map.of("mallory", first.size(), "ann", 0));
    count(held);
    assertThat(held).containsEntry("ann", 40).containsEntry("mallory", 274);

    for (FlowTicket one : first.subList(0, 264)) {
      seats.leave(one);
      held.merge("mallory", -1, Integer::sum);
      count(held);
    }

    assertThat(held).containsEntry("ann", 40).containsEntry("mallory", 50);
  }

  private void count(Map<String, Integer> held) {
    for (FlowTicket next = seats.next(); next != null; next = seats.next()) {
      held.merge(next.key().name(), 1, Integer::sum);
    }
  }

  @Test
  void flowsOfOneLevelTakeTurnsByWhatTheyCost() {
    SeatScheduler one = new SeatScheduler(600, 1);
    FlowTicket held = ticket(ACCOUNTS, "mallory", HEAVY);
    assertThat(one.arrive(held)).isEqualTo(Arrival.SEATED);
    for (int i = 0; i < 20; i++) {
      one.arrive(ticket(ACCOUNTS, "mallory", HEAVY));
      one.arrive(ticket(ACCOUNTS, "ann", new RequestCost(5, true)));
    }

    Map<String, Integer> got = new HashMap<>();
    for (int i = 0; i < 15; i++) {
      one.leave(held);
      held = Objects.requireNonNull(one.next());
      assertThat(one.next()).isNull();
      got.merge(held.key().name(), 1, Integer::sum);
    }

    // In virtual time two lists of ann's are as long as one of mallory's.
    assertThat(got).containsEntry("ann", 10).containsEntry("mallory", 5);
  }

  @Test
  void aStreamOfNewFlowsDoesNotStarveAnOldOne() {
    SeatScheduler one = new SeatScheduler(600, 1);
    FlowTicket held = ticket(ACCOUNTS, "first", HEAVY);
    one.arrive(held);
    for (int i = 0; i < 5; i++) {
      one.arrive(ticket(ACCOUNTS, "ann", HEAVY));
    }
    int ann = 0;
    for (int i = 0; i < 60; i++) {
      one.arrive(ticket(ACCOUNTS, "new-" + i, HEAVY));
      one.arrive(ticket(ACCOUNTS, "more-" + i, HEAVY));
      one.leave(held);
      held = Objects.requireNonNull(one.next());
      ann += held.key().name().equals("ann") ? 1 : 0;
    }
    assertThat(ann).isGreaterThanOrEqualTo(2);
  }

  @Test
  void theLevelThatIsFurthestBelowItsShareIsNext() {
    List<FlowTicket> users = new ArrayList<>();
    for (int i = 0; i < 366; i++) {
      FlowTicket one = ticket(USERS, "user-" + i, RequestCost.ONE);
      assertThat(seats.arrive(one)).isEqualTo(Arrival.SEATED);
      users.add(one);
    }
    for (int i = 0; i < 100; i++) {
      seats.arrive(ticket(ACCOUNTS, "app-" + i, RequestCost.ONE));
      seats.arrive(ticket(USERS, "late-" + i, RequestCost.ONE));
    }
    for (FlowTicket next = seats.next(); next != null; next = seats.next()) {
      assertThat(next.schema()).isEqualTo(ACCOUNTS);
    }
    seats.leave(users.getFirst());
    assertThat(seats.next()).extracting(FlowTicket::schema).isEqualTo(ACCOUNTS);
  }

  @Test
  void queuesAreBoundedByFlowAndByLevel() {
    List<FlowTicket> _ = fill(USERS, "mallory", RequestCost.ONE);
    for (int i = 0; i < PriorityLevel.QUEUE_LENGTH; i++) {
      assertThat(arrive(USERS, "mallory")).isEqualTo(Arrival.WAITING);
    }
    assertThat(arrive(USERS, "mallory")).isEqualTo(Arrival.QUEUE_FULL);
    assertThat(arrive(USERS, "ann")).isEqualTo(Arrival.WAITING);
    assertThat(seats.next()).extracting(one -> one.key().name()).isEqualTo("ann");
  }

  @Test
  void theLastLevelHasNoQueue() {
    FlowSchema last = schema("catch-all");
    SeatScheduler one = new SeatScheduler(1, 1);
    assertThat(one.arrive(ticket(last, "a", RequestCost.ONE))).isEqualTo(Arrival.SEATED);
    assertThat(one.arrive(ticket(last, "b", RequestCost.ONE))).isEqualTo(Arrival.CONCURRENCY_LIMIT);
  }

  @Test
  void everyLevelServesEvenTheWidestRequestOfASmallServer() {
    SeatScheduler tiny = new SeatScheduler(1, 1);
    for (FlowSchema schema : FlowSchemas.ALL) {
      if (!schema.level().isExempt()) {
        FlowTicket wide = ticket(schema, "a", HEAVY);
        assertThat(tiny.arrive(wide)).as(schema.name()).isEqualTo(Arrival.SEATED);
        tiny.leave(wide);
      }
    }
  }

  @Test
  void aWithdrawnRequestIsNotServed() {
    List<FlowTicket> held = fill(USERS, "mallory", RequestCost.ONE);
    FlowTicket late = ticket(USERS, "mallory", RequestCost.ONE);
    assertThat(seats.arrive(late)).isEqualTo(Arrival.WAITING);
    assertThat(seats.withdraw(late)).isTrue();
    assertThat(seats.withdraw(late)).isFalse();
    held.forEach(seats::leave);
    assertThat(seats.next()).isNull();
  }

  /// Random arrivals and departures: all are served at last, limits hold always, and whatever is
  /// left is as at the beginning.
  @Test
  void noSeatIsLostUnderRandomSchedules() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      int total = 1 + random.nextInt(100);
      SeatScheduler one = new SeatScheduler(total, 2);
      List<FlowTicket> served = new ArrayList<>();
      Deque<FlowTicket> waiting = new ArrayDeque<>();
      for (int step = 0; step < 500; step++) {
        if (random.nextInt(5) < 3) {
          arriveAtRandom(one, random, served, waiting);
        } else if (random.nextInt(10) == 0 && !waiting.isEmpty()) {
          assertThat(one.withdraw(waiting.remove())).isTrue();
        } else if (!served.isEmpty()) {
          one.leave(served.remove(random.nextInt(served.size())));
        }
        serveAll(one, served, waiting);
        assertThat(served.stream().filter(ticket -> ticket.cost().isHeavy()).count())
            .isLessThanOrEqualTo(2);
      }
      while (!served.isEmpty()) {
        Collections.shuffle(served, random);
        one.leave(served.removeLast());
        serveAll(one, served, waiting);
      }
      assertThat(waiting).as("seed %d", seed).isEmpty();
      for (PriorityLevel level : PriorityLevel.values()) {
        if (!level.isExempt()) {
          assertThat(one.of(level).ownFree()).isEqualTo(level.ownSeats(total));
        }
      }
    }
  }

  private static void arriveAtRandom(
      SeatScheduler one, Random random, List<FlowTicket> served, Deque<FlowTicket> waiting) {
    FlowSchema schema = FlowSchemas.ALL.get(2 + random.nextInt(FlowSchemas.ALL.size() - 2));
    RequestCost cost = RequestCost.ofObjects(random.nextInt(4) == 0 ? 1_000 : 1);
    FlowTicket ticket = ticket(schema, "user-" + random.nextInt(4), cost);
    switch (one.arrive(ticket)) {
      case SEATED -> served.add(ticket);
      case WAITING -> waiting.add(ticket);
      case QUEUE_FULL, CONCURRENCY_LIMIT -> {}
    }
  }

  private static void serveAll(
      SeatScheduler one, List<FlowTicket> served, Deque<FlowTicket> waiting) {
    for (FlowTicket next = one.next(); next != null; next = one.next()) {
      assertThat(waiting.remove(next)).isTrue();
      served.add(next);
    }
  }
}
