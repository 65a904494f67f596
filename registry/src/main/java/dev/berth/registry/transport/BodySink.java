package dev.berth.registry.transport;

import java.io.IOException;
import java.nio.ByteBuffer;

/// Takes the body of an answer, piece by piece.
public interface BodySink {
  /// The most bytes it takes.
  long limit();

  void write(ByteBuffer bytes) throws IOException;

  /// Forgets what it got, before another attempt.
  void restart() throws IOException;
}
