package dev.berth.server.http.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.auth.UserInfo;
import dev.berth.server.http.guard.InflightRequests.Place;
import dev.berth.server.http.routing.RequestInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class InflightRequestsTest {
  private static final UserInfo ANN = UserInfo.of("ann");
  private static final UserInfo BOB = UserInfo.of("bob");
  private static final UserInfo ROOT = UserInfo.of("root", UserInfo.MASTERS);
  private static final RequestInfo READ = RequestInfo.parse("GET", "/api/v1/pods", false);
  private static final RequestInfo WATCH = RequestInfo.parse("GET", "/api/v1/pods", true);

  private final InflightRequests inflight =
      new InflightRequests(new InflightLimits(8, 0, false), 16);

  private List<Place> takeAll(RequestInfo info, UserInfo user) {
    List<Place> taken = new ArrayList<>();
    for (Optional<Place> place = inflight.enter(info, user, user.name());
        place.isPresent() && taken.size() < 100;
        place = inflight.enter(info, user, user.name())) {
      taken.add(place.get());
    }
    return taken;
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
    assertThat(inflight.enter(RequestInfo.parse("GET", "/readyz", false), ANN, "ann")).isPresent();
  }

  @Test
  void noLimitIsNone() {
    RequestInfo write = RequestInfo.parse("POST", "/api/v1/pods", false);

    assertThat(takeAll(write, ANN)).hasSize(100);
    assertThat(inflight.mutating()).isEqualTo(101);
  }
}
