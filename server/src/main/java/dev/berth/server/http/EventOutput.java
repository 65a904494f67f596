package dev.berth.server.http;

import java.io.IOException;
import java.io.OutputStream;

/// Where the bytes of a watch go.
abstract class EventOutput extends OutputStream {
  /// What was written since the last call is one event.
  abstract void endEvent() throws IOException;

  /// The client is known to be gone.
  abstract boolean isClosed();
}
