package dev.berth.server;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The address by which others reach a server, as its Endpoints have it.
final class AdvertisedAddress {
  private static final Logger log = LoggerFactory.getLogger(AdvertisedAddress.class);

  private AdvertisedAddress() {}

  /// Endpoints cannot hold loopback addresses: as upstream, a server that listens there, or at all
  /// addresses, names another address of its machine.
  ///
  /// @param wanted by the administrator
  static InetSocketAddress of(InetSocketAddress listening, @Nullable InetAddress wanted) {
    InetAddress bound = listening.getAddress();
    InetAddress advertised = wanted;
    if (advertised == null) {
      advertised = bound.isAnyLocalAddress() || bound.isLoopbackAddress() ? ofMachine() : bound;
    }
    if (advertised.isLoopbackAddress()) {
      log.info(
          "default/kubernetes has no endpoints: this machine has no address but loopback; see"
              + " --advertise-address");
    } else if (bound.isLoopbackAddress()) {
      log.info(
          "default/kubernetes names {}, but the server listens on {} only: others reach it with"
              + " --bind-address=0.0.0.0",
          advertised.getHostAddress(),
          bound.getHostAddress());
    }
    return new InetSocketAddress(advertised, listening.getPort());
  }

  /// The first one that leads beyond this machine, IPv4 before IPv6; loopback if there is none.
  private static InetAddress ofMachine() {
    try {
      return NetworkInterface.networkInterfaces()
          .sorted(Comparator.comparingInt(NetworkInterface::getIndex))
          .flatMap(NetworkInterface::inetAddresses)
          .filter(one -> !one.isLoopbackAddress() && !one.isLinkLocalAddress())
          .min(Comparator.comparing(one -> !(one instanceof Inet4Address)))
          .orElse(InetAddress.getLoopbackAddress());
    } catch (SocketException e) {
      return InetAddress.getLoopbackAddress();
    }
  }
}
