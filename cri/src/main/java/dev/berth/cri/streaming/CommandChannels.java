package dev.berth.cri.streaming;

import org.jspecify.annotations.Nullable;

/// The channels of a remote command, independent of the transport. One thread reads; several may
/// send.
public interface CommandChannels {
  /// The numbers are those of Kubernetes' WebSocket protocol; SPDY has a stream per name instead.
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

  /// Whether the client reads the result as a `Status` object. Older clients read text, and only
  /// after a failure.
  boolean readsStatus();

  void send(int channel, byte[] bytes);

  /// The next message of the client; null when the client has gone.
  @Nullable Message read();

  /// Ends the output, after which a client closes the connection.
  void finish();

  /// Closes the connection of a client that did not.
  void close();
}
