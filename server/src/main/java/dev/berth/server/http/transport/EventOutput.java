package dev.berth.server.http.transport;

import java.io.IOException;
import java.io.OutputStream;

/// The output of a watch: a stream of bytes that also knows where events end. Plain HTTP needs no
/// such marks, a WebSocket sends each event as a message.
public abstract class EventOutput extends OutputStream {
  /// Marks the bytes since the last call as one event.
  public abstract void endEvent() throws IOException;

  /// Whether the client is known to have disconnected.
  public abstract boolean isClosed();
}
