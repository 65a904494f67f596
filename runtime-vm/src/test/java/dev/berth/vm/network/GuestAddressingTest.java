package dev.berth.vm.network;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The results and routes are those of real plugins, shortened.
final class GuestAddressingTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String DEVICE =
      "{\"ifname\": \"eth0\", \"mtu\": 1400, \"address\": \"b6:91:47:85:4e:63\"}";
  private static final String RESULT =
      """
      {"cniVersion": "1.0.0",
       "interfaces": [{"name": "veth1", "mac": "a2:c4:74:f8:e4:1c"},
         {"name": "eth0", "mac": "00:00:00:00:00:00", "sandbox": "/netns/s1"}],
       "ips": [{"interface": 0, "address": "10.99.7.1/24"},
         {"interface": 1, "address": "10.99.7.2/24", "gateway": "10.99.7.1"}%s],
       "routes": [{"dst": "0.0.0.0/0"}], "dns": %s}
      """;

  private static PodAddresses compute(String result, String routes) throws JsonProcessingException {
    List<JsonNode> list = new ArrayList<>();
    JSON.readTree(routes).forEach(list::add);
    return new GuestAddressing(JSON.readTree(result), JSON.readTree(DEVICE), list).compute();
  }

  @Test
  void onABridgeTheRangeIsOnTheLink() throws JsonProcessingException {
    PodAddresses addresses =
        compute(
            RESULT.formatted("", "{}"),
            """
            [{"dst": "default", "gateway": "10.99.7.1", "flags": []},
             {"dst": "10.99.7.0/24", "protocol": "kernel", "scope": "link", "prefsrc": "10.99.7.2"}]
            """);
    assertThat(addresses)
        .isEqualTo(
            new PodAddresses(
                "b6:91:47:85:4e:63",
                1400,
                List.of(new InterfaceAddress("10.99.7.2", 24, "10.99.7.1")),
                List.of(new PodRoute("0.0.0.0/0", "10.99.7.1")),
                DnsSettings.NONE));
  }

  @Test
  void onAPairOfDevicesTheRangeIsBehindTheGateway() throws JsonProcessingException {
    PodAddresses addresses =
        compute(
            RESULT.formatted("", "{}"),
            """
            [{"dst": "default", "gateway": "10.99.7.1", "flags": []},
             {"dst": "10.99.7.0/24", "gateway": "10.99.7.1", "prefsrc": "10.99.7.2"},
             {"dst": "10.99.7.1", "scope": "link", "prefsrc": "10.99.7.2"}]
            """);
    assertThat(addresses.addresses())
        .containsExactly(new InterfaceAddress("10.99.7.2", 32, "10.99.7.1"));
    assertThat(addresses.routes())
        .containsExactly(
            new PodRoute("10.99.7.1/32", ""),
            new PodRoute("0.0.0.0/0", "10.99.7.1"),
            new PodRoute("10.99.7.0/24", "10.99.7.1"));
  }

  @Test
  void bothFamiliesAreTakenOver() throws JsonProcessingException {
    PodAddresses addresses =
        compute(
            RESULT.formatted(
                ", {\"interface\": 1, \"address\": \"fd00:10:0:0::2/64\", \"gateway\": \"fd00:10::1\"}",
                """
                {"nameservers": ["10.96.0.10"], "domain": "cluster.local", "search": ["example"],
                 "options": ["ndots:5"]}"""),
            """
            [{"dst": "10.99.7.0/24", "scope": "link"},
             {"dst": "fd00:10::/64", "protocol": "kernel"}, {"dst": "fe80::/64", "protocol": "kernel"},
             {"dst": "default", "gateway": "fd00:10::1"},
             {"type": "multicast", "dst": "ff00::/8"}]
            """);
    assertThat(addresses.addresses())
        .containsExactly(
            new InterfaceAddress("10.99.7.2", 24, "10.99.7.1"),
            new InterfaceAddress("fd00:10:0:0::2", 64, "fd00:10::1"));
    assertThat(addresses.routes()).containsExactly(new PodRoute("::/0", "fd00:10::1"));
    assertThat(addresses.dns())
        .isEqualTo(
            new DnsSettings(
                List.of("10.96.0.10"), List.of("cluster.local", "example"), List.of("ndots:5")));
  }
}
