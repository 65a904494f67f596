package dev.berth.relay.ports;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RoomPlanTest {
  private static final String NAT = "192.0.2.1";
  private static final String OTHER = "192.0.2.2";

  private record Use(String address, boolean isIdle, boolean isKnown, long quietSince)
      implements ConnectionUse {}

  private static ConnectionLimits limits(int connections, int perAddress) {
    return new ConnectionLimits(
        connections, perAddress, Duration.ofSeconds(90), Duration.ofSeconds(32));
  }

  private static Use anonymous(String address, long since) {
    return new Use(address, true, false, since);
  }

  private static Use known(String address, long since) {
    return new Use(address, true, true, since);
  }

  private static Use busy(String address, long since) {
    return new Use(address, false, true, since);
  }

  @Test
  void nothingIsClosedWithinTheLimits() {
    Use newest = anonymous(NAT, 2);
    assertThat(RoomPlan.toClose(List.of(known(NAT, 1), newest), newest, limits(3, 2))).isEmpty();
  }

  @Test
  void ofOneAddressIdleAnonymousConnectionsGoFirstTheOldestBeforeOthers() {
    Use newest = anonymous(NAT, 9);
    Use oldest = anonymous(NAT, 2);
    List<Use> open =
        List.of(
            known(NAT, 1), busy(NAT, 0), anonymous(NAT, 5), oldest, anonymous(OTHER, 1), newest);
    assertThat(RoomPlan.toClose(open, newest, limits(100, 4))).containsExactly(oldest);
  }

  @Test
  void aClientThatConnectsTakesThePlaceOfAnIdleOneWhereAllAreAuthenticated() {
    Use newest = anonymous(NAT, 9);
    Use oldest = known(NAT, 2);
    List<Use> open = List.of(known(NAT, 3), oldest, busy(NAT, 1), newest);
    assertThat(RoomPlan.toClose(open, newest, limits(100, 3))).containsExactly(oldest);
  }

  @Test
  void whereEveryConnectionIsInUseTheNewestIsRefused() {
    Use newest = anonymous(NAT, 9);
    List<Use> open = List.of(busy(NAT, 1), busy(NAT, 2), newest);
    assertThat(RoomPlan.toClose(open, newest, limits(100, 2))).containsExactly(newest);
    assertThat(RoomPlan.toClose(open, newest, limits(2, 100))).containsExactly(newest);
  }

  @Test
  void inTotalTheAddressWithMostGivesRoom() {
    Use newest = anonymous(OTHER, 9);
    List<Use> open =
        new ArrayList<>(List.of(anonymous(OTHER, 1), anonymous(NAT, 6), anonymous(NAT, 5), newest));
    open.add(anonymous(NAT, 7));
    assertThat(RoomPlan.toClose(open, newest, limits(4, 4))).containsExactly(open.get(2));
  }

  @Test
  void aPartMakesRoomAtOnce() {
    List<Use> open =
        new ArrayList<>(IntStream.range(0, 101).mapToObj(i -> anonymous(NAT, i)).toList());
    assertThat(RoomPlan.toClose(open, open.getLast(), limits(1000, 100)))
        .containsExactlyElementsOf(open.subList(0, 6));
  }
}
