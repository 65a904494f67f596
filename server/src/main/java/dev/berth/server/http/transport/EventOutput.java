package dev.berth.server.http.transport;

import java.io.IOException;
import java.io.OutputStream;

/// Where the bytes of a watch go.
public abstract class EventOutput extends OutputStream {
  /// What was written since the last call is one event.
  public abstract void endEvent() throws IOException;

  /// The client is known to be gone.
  public abstract boolean isClosed();
}
