package dev.berth.server.http.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.auth.UserInfo;
import dev.berth.server.flowcontrol.FlowRequest;
import dev.berth.server.http.guard.InflightRequests.Place;
import dev.berth.server.http.routing.RequestInfo;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class InflightRequestsTest {
  private static final UserInfo ANN = UserInfo.of("ann", UserInfo.AUTHENTICATED);
  private static final UserInfo BOB = UserInfo.of("bob", UserInfo.AUTHENTICATED);
  private static final UserInfo ROOT = UserInfo.of("root", UserInfo.MASTERS);
  private static final RequestInfo READ = RequestInfo.parse("GET", "/api/v1/pods", false);
  private static final RequestInfo WATCH = RequestInfo.parse("GET", "/api/v1/pods", true);

  private final InflightRequests inflight =
      new InflightRequests(new InflightLimits(8, 0, false), 16);

  private static FlowRequest request(UserInfo user, String address) {
    SocketAddress client = new InetSocketAddress(InetAddress.ofLiteral(address), 1);
    return new FlowRequest(user, user.name(), client, "watch", true, "", "", "pods", "", "default");
  }

  private Optional<Place> enter(RequestInfo info, UserInfo user) {
    String address = user.equals(ANN) ? "192.0.2.1" : "192.0.2.2";
    return inflight.enter(info, request(user, address));
  }

  private List<Place> takeAll(RequestInfo info, UserInfo user) {
    return takeAll(() -> enter(info, user));
  }

  private static List<Place> takeAll(Supplier<Optional<Place>> enter) {
    List<Place> taken = new ArrayList<>();
    for (Optional<Place> place = enter.get();
        place.isPresent() && taken.size() < 100;
        place = enter.get()) {
      taken.add(place.get());
    }
    return taken;
  }

  private static UserInfo account(String namespace, int number) {
    return UserInfo.of(
        "system:serviceaccount:%s:app-%d".formatted(namespace, number), UserInfo.AUTHENTICATED);
  }

  @Test
  void watchesOfManyAccountsOfAnAddressLeaveASixteenthToOthers() {
    AtomicInteger number = new AtomicInteger();
    List<Place> places =
        takeAll(
            () -> {
              UserInfo one = account("ns-" + number.get(), number.getAndIncrement());
              return inflight.enter(WATCH, request(one, "192.0.2.1"));
            });

    assertThat(places).hasSize(15);
    assertThat(enter(WATCH, BOB)).isPresent();
    places.forEach(Place::leave);
    assertThat(takeAll(WATCH, BOB)).hasSize(11);
  }

  @Test
  void watchesOfManyAccountsOfANamespaceLeaveASixteenthToOthers() {
    AtomicInteger number = new AtomicInteger();
    List<Place> places =
        takeAll(
            () -> {
              String address = "192.0.2." + number.get();
              UserInfo one = account("crowd", number.getAndIncrement());
              return inflight.enter(WATCH, request(one, address));
            });

    assertThat(places).hasSize(15);
    assertThat(enter(WATCH, BOB)).isPresent();
  }

  @Test
  void oneUserLeavesAQuarterToOthers() {
    assertThat(takeAll(READ, ANN)).hasSize(6);
    assertThat(takeAll(READ, BOB)).hasSize(2);
    assertThat(inflight.readOnly()).isEqualTo(8);
  }

  @Test
  void aPlaceThatIsLeftIsForTheNext() {
    List<Place> places = takeAll(READ, ANN);
    places.getFirst().leave();

    assertThat(takeAll(READ, ANN)).hasSize(1);
    places.subList(1, 6).forEach(Place::leave);
    assertThat(takeAll(READ, BOB)).hasSize(6);
  }

  @Test
  void watchesHaveALimitOfTheirOwn() {
    assertThat(takeAll(WATCH, ANN)).hasSize(12);
    assertThat(takeAll(READ, ANN)).hasSize(6);
    assertThat(takeAll(WATCH, BOB)).hasSize(4);
  }

  @Test
  void administratorsHaveAReserve() {
    List<Place> _ = takeAll(READ, ANN);
    List<Place> _ = takeAll(READ, BOB);
    List<Place> _ = takeAll(WATCH, ANN);
    List<Place> _ = takeAll(WATCH, BOB);

    List<Place> reserve = takeAll(READ, ROOT);
    assertThat(reserve).hasSize(3);
    assertThat(takeAll(WATCH, UserInfo.of("admin", UserInfo.MASTERS))).hasSize(1);
    reserve.getFirst().leave();
    assertThat(takeAll(WATCH, ROOT)).hasSize(1);
  }

  @Test
  void healthAlwaysHasAPlace() {
    List<Place> _ = takeAll(READ, ANN);
    assertThat(enter(RequestInfo.parse("GET", "/readyz", false), ANN)).isPresent();
  }

  @Test
  void noLimitIsNone() {
    RequestInfo write = RequestInfo.parse("POST", "/api/v1/pods", false);

    assertThat(takeAll(write, ANN)).hasSize(100);
    assertThat(inflight.mutating()).isEqualTo(101);
  }
}
