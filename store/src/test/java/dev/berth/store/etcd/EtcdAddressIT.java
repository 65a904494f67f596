package dev.berth.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.store.Doc;
import dev.berth.store.Store;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EtcdAddressIT {
  @TempDir Path directory;

  @Test
  void anEtcdIsReachedByItsIpv6Address() throws Exception {
    EtcdProcess.assumeInstalled();
    assumeTrue(hasIpv6(), "there is no IPv6 loopback");
    try (EtcdProcess etcd = new EtcdProcess("one", directory, "http").withIpv6()) {
      etcd.start();
      etcd.awaitPort();
      try (Store<Doc> store = EtcdFixture.open(etcd.ipv6Url())) {
        EtcdFixture.put(store, "pods/a", "x");
        assertThat(store.get("pods/a")).isNotNull();
      }
    }
  }

  private static boolean hasIpv6() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.ofLiteral("::1"))) {
      return socket.isBound();
    } catch (IOException _) {
      return false;
    }
  }
}
