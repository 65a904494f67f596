package dev.berth.launch.process;

import dev.berth.api.Problem;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.URI;
import java.util.Comparator;

/// The address of this machine from which it reaches an API server, and at which the API server
/// then reaches it.
public final class NodeAddress {
  private NodeAddress() {}

  /// The address by which the machine would reach others; without such a route any address but the
  /// loopback one, and at last the loopback address. 192.0.2.1 is reserved for documentation (RFC
  /// 5737), so that only the default route leads there.
  public static InetAddress ofThisMachine() {
    InetAddress route = towards(URI.create("https://192.0.2.1"), InetAddress.getLoopbackAddress());
    if (!route.isLoopbackAddress() && !route.isAnyLocalAddress()) {
      return route;
    }
    try {
      return NetworkInterface.networkInterfaces()
          .flatMap(NetworkInterface::inetAddresses)
          .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
          // IPv4 addresses are shorter and come first.
          .min(Comparator.comparingInt(address -> address.getAddress().length))
          .orElse(InetAddress.getLoopbackAddress());
    } catch (SocketException _) {
      return InetAddress.getLoopbackAddress();
    }
  }

  private static InetAddress towards(URI server, InetAddress otherwise) {
    try {
      return towards(server);
    } catch (LaunchException _) {
      return otherwise;
    }
  }

  /// The local address of the route to a server. Nothing is sent: connecting a datagram socket only
  /// asks the kernel for the route.
  public static InetAddress towards(URI server) {
    try (DatagramSocket socket = new DatagramSocket()) {
      int port = server.getPort() < 0 ? 443 : server.getPort();
      socket.connect(new InetSocketAddress(InetAddress.getByName(server.getHost()), port));
      return socket.getLocalAddress();
    } catch (IOException e) {
      throw new LaunchException(
          new Problem(
              "the address of this node is unknown",
              "there is no route to %s: %s".formatted(server, e.getMessage()),
              "Set the address with --node-ip"),
          e);
    }
  }
}
