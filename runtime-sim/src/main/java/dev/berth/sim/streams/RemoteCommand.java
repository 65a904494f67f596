package dev.berth.sim.streams;

import dev.berth.sim.http.WebSocket;
import dev.berth.sim.service.StreamVerbs.Wanted;
import dev.berth.sim.shell.Inbox;
import dev.berth.sim.shell.Output;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Kubernetes' remote command protocol: the first byte of a message is its channel.
final class RemoteCommand {
  static final String V1 = "channel.k8s.io";
  static final String V4 = "v4.channel.k8s.io";
  static final String V5 = "v5.channel.k8s.io";

  private static final int STDIN = 0;
  private static final int ERROR = 3;

  /// Since version 5: the named channel ends.
  private static final int END = 255;

  private final WebSocket socket;
  private final Wanted wanted;

  RemoteCommand(WebSocket socket, Wanted wanted) {
    this.socket = socket;
    this.wanted = wanted;
  }

  /// An empty message tells the client that it is connected.
  void open() {
    send(wanted.stdout() ? Output.STDOUT : wanted.stderr() ? Output.STDERR : ERROR, new byte[0]);
  }

  /// What the client does not want is dropped; a terminal has only one stream.
  Output output() {
    return (stream, bytes) -> {
      int channel = wanted.tty() ? Output.STDOUT : stream;
      boolean asked = channel == Output.STDOUT ? wanted.stdout() : wanted.stderr();
      if (asked) {
        send(channel, wanted.tty() ? withReturns(bytes) : bytes);
      }
    };
  }

  /// Hands on what is typed until the client goes; then runs the action.
  void listen(@Nullable Inbox inbox, Runnable onGone) {
    Thread.ofVirtual()
        .name("sim-stream-input")
        .start(
            () -> {
              byte[] message = socket.read();
              while (message != null) {
                take(message, inbox);
                message = socket.read();
              }
              onGone.run();
            });
  }

  private void take(byte[] message, @Nullable Inbox inbox) {
    if (inbox == null || message.length == 0 || !wanted.stdin()) {
      return;
    }
    int channel = message[0] & 0xff;
    if (channel == STDIN && message.length > 1) {
      inbox.feed(Arrays.copyOfRange(message, 1, message.length));
    } else if (channel == END && message.length == 2 && message[1] == STDIN) {
      inbox.endInput();
    }
  }

  /// Says how it ended, and closes.
  void close(int exitCode) {
    if (!socket.protocol().equals(V1)) {
      send(ERROR, RemoteStatus.of(exitCode).getBytes(StandardCharsets.UTF_8));
    } else if (exitCode != 0) {
      send(ERROR, RemoteStatus.text(exitCode).getBytes(StandardCharsets.UTF_8));
    }
    socket.close();
  }

  private void send(int channel, byte[] bytes) {
    byte[] message = new byte[bytes.length + 1];
    message[0] = (byte) channel;
    System.arraycopy(bytes, 0, message, 1, bytes.length);
    socket.send(message);
  }

  /// A terminal in raw mode does not go back to the left by itself.
  private static byte[] withReturns(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    return text.replace("\r\n", "\n").replace("\n", "\r\n").getBytes(StandardCharsets.ISO_8859_1);
  }
}
