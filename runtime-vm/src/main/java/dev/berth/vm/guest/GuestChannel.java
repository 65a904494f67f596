package dev.berth.vm.guest;

import dev.berth.vm.guest.model.GuestExit;
import dev.berth.vm.guest.model.GuestStream;
import dev.berth.vm.guest.wire.ProtocolViolation;

/// What the guest sends on a channel. Called by the thread that reads, so nothing here waits.
sealed interface GuestChannel permits InputChannel, ProcessChannel, PortChannel {
  /// Bytes that the guest may send and the host has not taken.
  int WINDOW = 65536;

  ChannelOutput output();

  default void data(GuestStream stream, byte[] bytes) {
    throw new ProtocolViolation("data on a channel that has only input");
  }

  default void ended() {
    throw new ProtocolViolation("the end of a direction that a channel does not have");
  }

  default void exited(GuestExit exit) {
    throw new ProtocolViolation("an exit on a channel without a program");
  }

  /// The guest gave the channel up.
  void reset();

  /// The connection is over.
  void disconnected(ConnectionEnd reason);
}
