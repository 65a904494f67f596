package dev.berth.relay.ports;

import java.time.Duration;

/// The limits of a port: the number of connections, and how long they may wait.
///
/// @param connections maximum of all clients together
/// @param perAddress maximum of one source address; IPv6 addresses of one /64 network count as one
/// @param idle how long a connection may wait between two requests
/// @param header how long the head of a request may take from its first byte; for the first request
///   this includes the TLS handshake
public record ConnectionLimits(int connections, int perAddress, Duration idle, Duration header) {
  public ConnectionLimits {
    if (connections < 1 || perAddress < 1) {
      throw new IllegalArgumentException(
          "a port needs at least one connection, in total (%d) and of one address (%d)"
              .formatted(connections, perAddress));
    }
  }

  /// Half of the connections: enough for clients behind one NAT address or load balancer, and the
  /// other half stays free for other clients.
  public static int shareOfOneAddress(int connections) {
    return Math.max(1, connections / 2);
  }
}
