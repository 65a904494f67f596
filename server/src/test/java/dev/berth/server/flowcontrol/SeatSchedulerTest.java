package dev.berth.server.flowcontrol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.auth.UserInfo;
import dev.berth.server.flowcontrol.SeatScheduler.Arrival;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/// The decision alone: no threads, and no time but the virtual one.
class SeatSchedulerTest {
  private static final FlowSchema USERS = schema("global-default");
  private static final FlowSchema ACCOUNTS = schema("service-accounts");
  private static final FlowSchema NODES = schema("system-node-high");
  private static final SocketAddress IN_PROCESS = new SocketAddress() {};
  private static final RequestCost HEAVY = new RequestCost(10, true);

  private final SeatScheduler seats = new SeatScheduler(600, 4);

  private static FlowSchema schema(String name) {
    return FlowSchemas.ALL.stream()
        .filter(one -> one.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static FlowTicket ticket(FlowSchema schema, String flow, RequestCost cost) {
    return ticket(schema, flow, IN_PROCESS, cost);
  }

  private static FlowTicket ticket(
      FlowSchema schema, String flow, SocketAddress client, RequestCost cost) {
    FlowRequest request =
        new FlowRequest(UserInfo.of(flow), flow, client, "get", true, "", "", "pods", "", flow);
    return new FlowTicket(null, request, schema, cost, 0);
  }

  private static FlowTicket account(String namespace, int number) {
    return accountAt(IN_PROCESS, namespace, number, RequestCost.ONE);
  }

  private static FlowTicket accountAt(
      SocketAddress client, String namespace, int number, RequestCost cost) {
    String name = "system:serviceaccount:%s:app-%d".formatted(namespace, number);
    return ticket(ACCOUNTS, name, client, cost);
  }

  private static FlowTicket userAt(SocketAddress client, String name) {
    return ticket(USERS, name, client, RequestCost.ONE);
  }

  private static SocketAddress address(int last) {
    return new InetSocketAddress(InetAddress.ofLiteral("192.0.2." + last), 1);
  }

  private Arrival arrive(FlowSchema schema, String flow) {
    return seats.arrive(ticket(schema, flow, RequestCost.ONE));
  }

  /// Requests of as many flows that are served without waiting, until one is not.
  private List<FlowTicket> fill(IntFunction<FlowTicket> flows) {
    List<FlowTicket> served = new ArrayList<>();
    for (FlowTicket next = flows.apply(0);
        isServed(seats, next);
        next = flows.apply(served.size())) {
      served.add(next);
    }
    return served;
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
  void aNamespaceWithManyAccountsLeavesASixteenthToOthers() {
    int reachable = seats.reachable(PriorityLevel.WORKLOAD_LOW);
    int left = reachable / 16;
    assertThat(fill(number -> account("crowd", number))).hasSize(reachable - left);

    assertThat(fill(number -> account("web", number))).hasSize(left * 3 / 4);
    assertThat(isServed(seats, account("shop", 0))).isTrue();
  }

  @Test
  void anAddressWithAccountsOfManyNamespacesLeavesASixteenthToOthers() {
    int reachable = seats.reachable(PriorityLevel.WORKLOAD_LOW);
    int left = reachable / 16;
    assertThat(fill(number -> accountAt(address(1), "ns-" + number, 0, RequestCost.ONE)))
        .hasSize(reachable - left);

    assertThat(fill(number -> accountAt(address(2), "web", number, RequestCost.ONE)))
        .hasSize(left * 3 / 4);
    assertThat(isServed(seats, accountAt(address(3), "shop", 0, RequestCost.ONE))).isTrue();
  }

  @Test
  void aNamespaceLeavesASixteenthToOthersOfItsAddress() {
    int reachable = seats.reachable(PriorityLevel.WORKLOAD_LOW);
    int left = reachable / 16;
    assertThat(fill(number -> accountAt(address(1), "crowd", number, RequestCost.ONE)))
        .hasSize(reachable - 2 * left);

    assertThat(isServed(seats, accountAt(address(1), "web", 0, RequestCost.ONE))).isTrue();
    assertThat(isServed(seats, accountAt(address(2), "shop", 0, RequestCost.ONE))).isTrue();
  }

  /// Each seat goes to the address that holds fewer of them, however many namespaces wait there.
  @Test
  void waitingAddressesGetEqualPartsWhateverTheirNamespaces() {
    Deque<FlowTicket> crowd = new ArrayDeque<>();
    for (int i = 0; i < 3_000; i++) {
      FlowTicket next = accountAt(address(1), "ns-" + i, 0, RequestCost.ONE);
      if (seats.arrive(next) == Arrival.SEATED) {
        crowd.add(next);
      }
    }
    int webHeld = 0;
    for (int i = 0; i < 150; i++) {
      assertThat(seats.arrive(accountAt(address(2), "web", i % 6, RequestCost.ONE)))
          .isEqualTo(Arrival.WAITING);
    }
    while (!crowd.isEmpty() && webHeld < 150) {
      for (FlowTicket next = seats.next(); next != null; next = seats.next()) {
        boolean isWeb = next.groups().getLast().origin().value().equals("web");
        assertThat(isWeb || webHeld >= crowd.size()).as("web is next").isTrue();
        webHeld += isWeb ? 1 : 0;
        if (!isWeb) {
          crowd.add(next);
        }
      }
      seats.leave(crowd.remove());
    }

    assertThat(webHeld).isEqualTo(150);
  }

  @Test
  void anAddressWithManyNamespacesDoesNotFillTheQueuesOfItsLevel() {
    List<FlowTicket> _ = fill(number -> accountAt(address(1), "ns-" + number, 0, RequestCost.ONE));
    int waiting = 0;
    while (seats.arrive(accountAt(address(1), "more-" + waiting, 0, RequestCost.ONE))
        == Arrival.WAITING) {
      waiting++;
    }
    assertThat(waiting).isEqualTo(PriorityLevel.WORKLOAD_LOW.waitingLimit() * 3 / 4);
    FlowTicket web = accountAt(address(2), "web", 0, RequestCost.ONE);
    assertThat(seats.arrive(web)).isEqualTo(Arrival.WAITING);
    assertThat(seats.next()).isEqualTo(web);
  }

  /// When no heavy request may run, thousands of groups that wait with heavy ones cost nothing: a
  /// choice that looked at each of them took a hundred times as long.
  @Test
  void theChoiceDoesNotPassOverGroupsThatWaitWithHeavyRequests() {
    for (int i = 0; i < 4_800; i++) {
      seats.arrive(heavy("ns-" + i, 0));
    }
    FlowTicket held = account("web", 0);
    int served = 0;
    long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    for (int i = 0; i < 200_000 && System.nanoTime() < end; i++) {
      assertThat(seats.arrive(held)).isEqualTo(Arrival.WAITING);
      assertThat(seats.next()).isSameAs(held);
      seats.leave(held);
      held = account("web", 0);
      served++;
    }
    assertThat(served).isEqualTo(200_000);
  }

  @Test
  void anAddressWithManyUsersLeavesASixteenthToOthers() {
    assertThat(fill(number -> userAt(address(1), "user-" + number))).hasSize(344);

    assertThat(fill(number -> userAt(address(2), "other-" + number))).hasSize(16);
    assertThat(isServed(seats, userAt(address(3), "bob"))).isTrue();
  }

  @Test
  void oneUserWithManyAddressesIsOneFlow() {
    assertThat(fill(number -> userAt(address(number % 200), "mallory"))).hasSize(273);
  }

  @Test
  void usersOfOneAddressShareWhatItMayTake() {
    assertThat(fill(_ -> userAt(address(1), "mallory"))).hasSize(273);
    assertThat(fill(_ -> userAt(address(1), "ann"))).hasSize(69);
    assertThat(fill(number -> userAt(address(1), "user-" + number))).hasSize(2);
    assertThat(fill(_ -> userAt(address(2), "bob"))).hasSize(15);
    assertThat(fill(_ -> userAt(address(3), "carol"))).hasSize(4);
  }

  /// Whatever waits of the crowd, each seat goes to the namespace that holds fewer of them.
  @Test
  void waitingNamespacesGetEqualPartsWhateverTheirAccounts() {
    Deque<FlowTicket> crowd = new ArrayDeque<>();
    for (int i = 0; i < 700; i++) {
      FlowTicket next = account("crowd", i);
      if (seats.arrive(next) == Arrival.SEATED) {
        crowd.add(next);
      }
    }
    assertThat(seats.next()).isNull();
    for (int i = 0; i < 300; i++) {
      assertThat(seats.arrive(account("web", i % 6))).isEqualTo(Arrival.WAITING);
    }
    Map<String, Integer> held = new HashMap<>(Map.of("crowd", crowd.size(), "web", 0));
    countGroups(held, crowd);

    for (int i = 0; i < 2_000 && !crowd.isEmpty(); i++) {
      seats.leave(crowd.remove());
      held.merge("crowd", -1, Integer::sum);
      countGroups(held, crowd);
    }

    assertThat(held).containsEntry("web", 300);
  }

  private void countGroups(Map<String, Integer> held, Deque<FlowTicket> crowd) {
    for (FlowTicket next = seats.next(); next != null; next = seats.next()) {
      String group = next.groups().getLast().origin().value();
      held.merge(group, 1, Integer::sum);
      if (group.equals("crowd")) {
        assertThat(held.getOrDefault("web", 0))
            .as("web has its part")
            .isGreaterThan(held.getOrDefault("crowd", 0) - 2);
        crowd.add(next);
      }
    }
  }

  @Test
  void aCrowdDoesNotFillTheQueuesOfItsLevel() {
    List<FlowTicket> _ = fill(number -> userAt(address(1), "user-" + number));
    int waiting = 0;
    Arrival last = Arrival.WAITING;
    for (int i = 0; last == Arrival.WAITING; i++) {
      RequestCost cost = i % 2 == 0 ? RequestCost.ONE : HEAVY;
      last = seats.arrive(ticket(USERS, "more-" + i, address(1), cost));
      waiting += last == Arrival.WAITING ? 1 : 0;
    }
    assertThat(last).isEqualTo(Arrival.QUEUE_FULL);
    assertThat(waiting).isEqualTo(PriorityLevel.GLOBAL_DEFAULT.waitingLimit() * 3 / 4);
    FlowTicket bob = userAt(address(2), "bob");
    assertThat(seats.arrive(bob)).isEqualTo(Arrival.WAITING);
    List<FlowTicket> served = new ArrayList<>();
    for (FlowTicket next = seats.next(); next != null; next = seats.next()) {
      served.add(next);
    }
    assertThat(served).contains(bob);
  }

  @Test
  void heavyRequestsOfANamespaceLeaveOneToOthers() {
    assertThat(fill(_ -> heavy("crowd", 0))).hasSize(2);
    assertThat(fill(number -> heavy("crowd", number + 1))).hasSize(1);
    assertThat(isServed(seats, heavy("web", 0))).isTrue();
  }

  /// Light requests of the group need one seat each, and come again and again.
  @Test
  void aWideRequestIsNotStarvedByLightOnesOfItsGroup() {
    List<FlowTicket> light = fill(number -> account("crowd", number));
    FlowTicket wide = heavy("crowd", 0);
    assertThat(seats.arrive(wide)).isEqualTo(Arrival.WAITING);
    List<FlowTicket> served = new ArrayList<>();
    for (int i = 0; i < 20 && !served.contains(wide); i++) {
      seats.arrive(account("crowd", i));
      seats.leave(light.removeLast());
      for (FlowTicket next = seats.next(); next != null; next = seats.next()) {
        served.add(next);
      }
    }
    assertThat(served).contains(wide);
  }

  private static FlowTicket heavy(String namespace, int number) {
    String name = "system:serviceaccount:%s:app-%d".formatted(namespace, number);
    return ticket(ACCOUNTS, name, IN_PROCESS, HEAVY);
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
    SocketAddress client = random.nextBoolean() ? IN_PROCESS : address(random.nextInt(3));
    String user = "user-" + random.nextInt(4);
    boolean isAccount = schema.equals(ACCOUNTS) && random.nextBoolean();
    String namespace = "system:serviceaccount:ns-" + random.nextInt(2) + ":";
    FlowTicket ticket = ticket(schema, isAccount ? namespace + user : user, client, cost);
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
