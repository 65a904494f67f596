package dev.berth.agent.node.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.usage.InterfaceCounters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LinuxNetworkTest {
  @TempDir private Path root;

  @Test
  void theInterfaceThatLeadsEverywhereComesFirst() throws IOException {
    Files.createDirectories(root.resolve("proc/net"));
    Files.writeString(
        root.resolve("proc/net/dev"),
        """
        Inter-|   Receive                                                |  Transmit
         face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
            lo:  100       1    0    0    0     0          0         0      100       1    0    0    0     0       0          0
          ens3:   11      12   13   14   15    16         17        18       21      22   23   24   25    26      27         28
        wlan0:       31      32   33   34   35    36         37        38       41      42   43   44   45    46      47         48
        veth1a2b:  1       1    0    0    0     0          0         0        1       1    0    0    0     0       0          0
        """);
    Files.writeString(
        root.resolve("proc/net/route"),
        """
        Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT
        ens3\t0000A8C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0
        wlan0\t00000000\t0100A8C0\t0003\t0\t0\t0\t00000000\t0\t0\t0
        """);

    assertThat(new LinuxNetwork(root).interfaces())
        .containsExactly(
            new InterfaceCounters("wlan0", 31, 33, 41, 43),
            new InterfaceCounters("ens3", 11, 13, 21, 23));
  }

  @Test
  void soItIsOnThisMachine() throws IOException {
    assertThat(new LinuxNetwork(Path.of("/")).interfaces())
        .noneMatch(one -> one.name().equals("lo"));
  }
}
