package dev.berth.server.http.transport;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.websocket.core.OpCode;

/// Sends each watch event as one WebSocket message.
///
/// An event is collected until `endEvent`, because a message is one frame, whose header has the
/// length. One thread uses an instance.
public final class MessageOutput extends EventOutput {
  /// A buffer up to this size is kept for the next event.
  private static final int KEPT = 64 << 10;

  /// Protobuf events start with their length, which a message does not need.
  private static final int LENGTH_PREFIX = 4;

  private final WebSocket socket;
  private final boolean binary;
  private ByteArrayOutputStream event = new ByteArrayOutputStream(1024);

  /// Sends through the given WebSocket.
  ///
  /// @param binary whether events are protobuf; their length prefix is omitted in messages
  public MessageOutput(WebSocket socket, boolean binary) {
    this.socket = socket;
    this.binary = binary;
  }

  @Override
  public void write(int b) {
    event.write(b);
  }

  @Override
  public void write(byte[] bytes, int from, int length) {
    event.write(bytes, from, length);
  }

  @Override
  public void endEvent() throws IOException {
    ByteBuffer message = ByteBuffer.wrap(event.toByteArray());
    // The buffer is released before sending: a slow client then holds a long event once instead of
    // twice.
    if (event.size() > KEPT) {
      event = new ByteArrayOutputStream(1024);
    } else {
      event.reset();
    }
    if (binary) {
      socket.send(OpCode.BINARY, message.position(LENGTH_PREFIX));
    } else {
      socket.send(OpCode.TEXT, message);
    }
  }

  @Override
  public boolean isClosed() {
    return socket.isClosed();
  }

  /// Ends the WebSocket in good order, also when the watch ends with an error event.
  @Override
  public void close() {
    socket.end();
  }
}
