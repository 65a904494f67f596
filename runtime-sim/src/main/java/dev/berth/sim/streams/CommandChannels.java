package dev.berth.sim.streams;

import org.jspecify.annotations.Nullable;

/// The channels of a remote command, however its client is connected.
interface CommandChannels {
  int STDIN = 0;
  int STDOUT = 1;
  int STDERR = 2;
  int ERROR = 3;
  int RESIZE = 4;

  /// Bytes of a channel, or its end.
  ///
  /// @param last whether the client sends no more on this channel
  // Messages are never compared.
  @SuppressWarnings("ArrayRecordComponent")
  record Message(int channel, byte[] bytes, boolean last) {}

  /// Whether the client reads how the command ended as a status; older ones read text, and only if
  /// it failed.
  boolean readsStatus();

  void send(int channel, byte[] bytes);

  /// What the client sends next; null when it has gone.
  @Nullable Message read();

  /// Says that nothing more comes, so that the client hangs up.
  void finish();

  /// For a client that did not.
  void close();
}
