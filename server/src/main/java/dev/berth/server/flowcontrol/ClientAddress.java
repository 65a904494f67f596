package dev.berth.server.flowcontrol;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.HexFormat;

/// The part of a client's address that identifies it.
public final class ClientAddress {
  /// Bytes of the IPv6 prefix (/64) that identifies one client: a host usually controls all
  /// addresses of its /64.
  private static final int NETWORK_BYTES = 8;

  private ClientAddress() {}

  /// The client's IPv4 address or IPv6 prefix; "" for a client in the same process.
  public static String of(SocketAddress client) {
    if (!(client instanceof InetSocketAddress socket) || socket.getAddress() == null) {
      return "";
    }
    InetAddress address = socket.getAddress();
    return address instanceof Inet6Address
        ? HexFormat.of().formatHex(address.getAddress(), 0, NETWORK_BYTES)
        : address.getHostAddress();
  }
}
