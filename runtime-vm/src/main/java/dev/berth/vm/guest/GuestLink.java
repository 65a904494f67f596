package dev.berth.vm.guest;

import dev.berth.vm.guest.wire.FrameType;

/// What requests, channels and outputs use of the connection.
interface GuestLink {
  /// Waits while the guest does not read. Does nothing once the connection is over.
  void send(FrameType type, int id, byte[] body) throws InterruptedException;

  /// Never waits: for frames whose number something else bounds.
  void sendNow(FrameType type, int id, byte[] body);

  /// Ends the connection, unless it is over already.
  void end(ConnectionEnd reason);

  /// What messages call the guest.
  String guest();
}
