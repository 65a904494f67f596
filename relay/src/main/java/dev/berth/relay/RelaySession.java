package dev.berth.relay;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/// What becomes of the bytes on their way between a client that has left HTTP and a backend.
public interface RelaySession {
  /// Begins a session.
  @FunctionalInterface
  interface Opener {
    /// Begins it before any byte came from either side.
    ///
    /// @param client each call of its `write(byte[])` arrives whole, from whichever thread
    /// @param backend to be flushed
    RelaySession open(OutputStream client, OutputStream backend) throws IOException;
  }

  /// Takes bytes of the client; called by one thread.
  ///
  /// @return false when the client wants to end
  /// @throws IOException when the backend takes no more
  boolean fromClient(ByteBuffer bytes) throws IOException;

  /// Takes bytes of the backend; called by another thread.
  ///
  /// @return false when the backend has said everything
  /// @throws IOException when the client takes no more
  boolean fromBackend(ByteBuffer bytes) throws IOException;

  /// Called every few seconds while the backend does not take what the client sent.
  default void stillWaiting() {}

  /// The backend has ended; called by the thread that reads the backend.
  default void end() throws IOException {}
}
