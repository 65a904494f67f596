package dev.berth.launch.containerd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PodNetworkTest {
  private static final String HEAD =
      "Iface Destination Gateway Flags RefCnt Use Metric Mask MTU Window IRTT";

  @Test
  void aRangeThatMeetsARouteIsLeftAlone() {
    String everywhere = "eth0 00000000 0101A8C0 0003 0 0 0 00000000 0 0 0";
    String first = "br0 0000400A 00000000 0001 0 0 0 00FFFFFF 0 0 0"; // 10.64.0.0/24
    String onePod = "veth1 0501400A 00000000 0005 0 0 0 FFFFFFFF 0 0 0"; // 10.64.1.5

    assertThat(PodNetwork.choose(0, List.of(HEAD, everywhere))).isEqualTo("10.64.0.0/24");
    assertThat(PodNetwork.choose(0, List.of(HEAD, everywhere, first, onePod)))
        .isEqualTo("10.64.2.0/24");
  }

  @Test
  void aWideRouteTakesAllRangesInIt() {
    String wide = "tun0 0000400A 00000000 0001 0 0 0 0000FFFF 0 0 0"; // 10.64.0.0/16

    assertThat(PodNetwork.choose(3, List.of(HEAD, wide))).isEqualTo("10.65.0.0/24");
  }

  @Test
  void aDirectoryKeepsItsRange(@TempDir Path directory) throws IOException {
    PodNetwork first = PodNetwork.of(directory, List.of());
    String route = "veth1 %s 00000000 0001 0 0 0 00FFFFFF 0 0 0".formatted(hex(first.subnet()));

    assertThat(PodNetwork.of(directory, List.of(route))).isEqualTo(first);
  }

  @Test
  void portsOfTheHostAreOnlyForMachinesThatTranslateAddresses() {
    PodNetwork network = new PodNetwork("berth-1", "10.64.0.0/24");

    assertThat(network.conflist(Path.of("/a"), true)).contains("portmap", "\"ipMasq\": true");
    assertThat(network.conflist(Path.of("/a"), false)).doesNotContain("portmap");
  }

  private static String hex(String subnet) {
    String[] octets = subnet.split("[./]", -1);
    return "00%02X%02X0A".formatted(Integer.parseInt(octets[2]), Integer.parseInt(octets[1]));
  }
}
