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

/// Chooses the address of a server for its Endpoints.
final class AdvertisedAddress {
  private static final Logger log = LoggerFactory.getLogger(AdvertisedAddress.class);

  private AdvertisedAddress() {}

  /// Endpoints cannot contain loopback addresses: like upstream, a server that listens on loopback
  /// or on all addresses advertises another address of its machine.
  ///
  /// @param wanted the address from the configuration
  static InetSocketAddress of(InetSocketAddress listening, @Nullable InetAddress wanted) {
    InetAddress bound = listening.getAddress();
    InetAddress advertised = wanted;
    if (advertised == null) {
      advertised = bound.isAnyLocalAddress() || bound.isLoopbackAddress() ? ofMachine() : bound;
    }
    if (advertised.isLoopbackAddress()) {
      log.info(
          "default/kubernetes has no endpoints: this machine has only loopback addresses; see"
              + " --advertise-address");
    } else if (bound.isLoopbackAddress()) {
      log.info(
          "default/kubernetes advertises {}, but the server listens on {} only; to be reachable set"
              + " --bind-address=0.0.0.0",
          advertised.getHostAddress(),
          bound.getHostAddress());
    }
    return new InetSocketAddress(advertised, listening.getPort());
  }

  /// The first address that is not loopback or link-local, IPv4 before IPv6; loopback if there is
  /// none.
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
