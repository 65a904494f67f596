package dev.berth.server;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Comparator;

/// The address by which others reach a server that listens at all addresses.
final class AdvertisedAddress {
  private AdvertisedAddress() {}

  static InetSocketAddress of(InetSocketAddress listening) {
    return listening.getAddress().isAnyLocalAddress()
        ? new InetSocketAddress(ofMachine(), listening.getPort())
        : listening;
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
