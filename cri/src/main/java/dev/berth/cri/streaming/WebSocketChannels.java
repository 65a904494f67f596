package dev.berth.cri.streaming;

import dev.berth.cri.http.WebSocket;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Channels over a WebSocket. The first byte of a message is its channel. WebSockets have no
/// half-close, which is why the protocol needed a message for the end of the input.
public record WebSocketChannels(WebSocket socket) implements CommandChannels {
  private static final String V1 = "channel.k8s.io";

  /// Best protocol first.
  public static final List<String> PROTOCOLS =
      List.of("v5.channel.k8s.io", "v4.channel.k8s.io", V1);

  /// Since version 5, a message on this channel closes the channel that its next byte names.
  private static final int END = 255;

  @Override
  public boolean readsStatus() {
    return !socket.protocol().equals(V1);
  }

  @Override
  public void send(int channel, byte[] bytes) {
    send(socket, channel, bytes);
  }

  public static void send(WebSocket socket, int channel, byte[] bytes) {
    byte[] message = new byte[bytes.length + 1];
    message[0] = (byte) channel;
    System.arraycopy(bytes, 0, message, 1, bytes.length);
    socket.send(message);
  }

  @Override
  public @Nullable Message read() {
    byte[] message = socket.read();
    // An empty message has no channel.
    while (message != null && message.length == 0) {
      message = socket.read();
    }
    if (message == null) {
      return null;
    }
    int channel = message[0] & 0xff;
    return channel == END && message.length == 2
        ? new Message(message[1], new byte[0], true)
        : new Message(channel, Arrays.copyOfRange(message, 1, message.length), false);
  }

  @Override
  public void finish() {
    socket.close();
  }

  /// `finish` has already sent the close frame.
  @Override
  public void close() {}
}
