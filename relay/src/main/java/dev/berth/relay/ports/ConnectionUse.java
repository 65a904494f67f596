package dev.berth.relay.ports;

/// The properties by which {@link RoomPlan} chooses connections to close.
interface ConnectionUse {
  /// The source; one key for all addresses among which a client can choose.
  String address();

  /// Whether the connection has no request and is not upgraded.
  boolean isIdle();

  /// Whether a request on the connection had an authenticated user.
  boolean isKnown();

  /// When the last request ended, or when the connection was opened, in nanoseconds.
  long quietSince();
}
