package dev.berth.vm.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class TapRulesTest {
  private static String rules(InterfaceAddress... addresses) {
    PodAddresses pod =
        new PodAddresses(
            "02:00:00:00:00:01", 1500, List.of(addresses), List.of(), DnsSettings.NONE);
    return new TapRules(pod, "eth0", "tap0").text();
  }

  @Test
  void aGuestSendsUnderItsOwnAddressesAlone() {
    assertThat(rules(new InterfaceAddress("10.1.2.3", 24, "10.1.2.1")))
        .isEqualTo(
            """
            qdisc add dev eth0 ingress
            qdisc add dev tap0 ingress
            filter add dev eth0 ingress protocol all prio 1 u32 match u32 0 0 action mirred egress redirect dev tap0
            filter add dev tap0 ingress protocol ip prio 2 u32 match ether src 02:00:00:00:00:01 match ip src 10.1.2.3/32 action mirred egress redirect dev eth0
            filter add dev tap0 ingress protocol arp prio 3 u32 match ether src 02:00:00:00:00:01 match u16 0x0a01 0xffff at 14 match u16 0x0203 0xffff at 16 action mirred egress redirect dev eth0
            """);
  }

  @Test
  void neighborDiscoveryNeedsLinkLocalAddresses() {
    assertThat(rules(new InterfaceAddress("fd00::1", 64, "")))
        .contains(
            "protocol ipv6 prio 4 u32 match ether src 02:00:00:00:00:01 match ip6 src fe80::/10 ")
        .contains("match ip6 src ::/128 ")
        .contains("match ip6 src fd00::1/128 ")
        .doesNotContain("protocol arp");
  }
}
