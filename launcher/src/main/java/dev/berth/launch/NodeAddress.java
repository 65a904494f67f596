package dev.berth.launch;

import dev.berth.api.Problem;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;

/// The address of this machine from which it reaches an API server, so by which that one reaches
/// it.
final class NodeAddress {
  private NodeAddress() {}

  /// Sends nothing: connecting a datagram socket only asks the kernel for the route.
  static InetAddress towards(URI server) {
    try (DatagramSocket socket = new DatagramSocket()) {
      int port = server.getPort() < 0 ? 443 : server.getPort();
      socket.connect(new InetSocketAddress(InetAddress.getByName(server.getHost()), port));
      return socket.getLocalAddress();
    } catch (IOException e) {
      throw new LaunchException(
          new Problem(
              "the address of this node cannot be found",
              "there is no way to %s: %s".formatted(server, e.getMessage()),
              "Name the address with --node-ip"),
          e);
    }
  }
}
