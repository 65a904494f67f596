package dev.berth.relay.ports;

import java.time.Duration;

/// How many connections a port holds, and for how long.
///
/// @param connections of all clients together
/// @param perAddress of the clients of one source address; IPv6 addresses of one /64 network count
///   as one
/// @param idle how long a connection may wait between two requests
/// @param header how long the head of a request may take from its first byte on; for the first
///   request it includes the TLS handshake
public record ConnectionLimits(int connections, int perAddress, Duration idle, Duration header) {
  public ConnectionLimits {
    if (connections < 1 || perAddress < 1) {
      throw new IllegalArgumentException(
          "a port needs at least one connection, in total (%d) and of one address (%d)"
              .formatted(connections, perAddress));
    }
  }

  /// One address gets half: clients behind one NAT address or one load balancer have enough, and
  /// whatever they do, others get through.
  public static int shareOfOneAddress(int connections) {
    return Math.max(1, connections / 2);
  }
}
