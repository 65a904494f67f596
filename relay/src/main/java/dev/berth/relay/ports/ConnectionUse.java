package dev.berth.relay.ports;

/// What the choice of connections to close depends on, see {@link RoomPlan}.
interface ConnectionUse {
  /// Where it comes from; one key for all addresses that a client can choose from.
  String address();

  /// Whether it has no request, and did not leave HTTP.
  boolean isIdle();

  /// Whether a request on it had an authenticated user.
  boolean isKnown();

  /// When its last request ended, or when it was opened, in nanoseconds.
  long quietSince();
}
