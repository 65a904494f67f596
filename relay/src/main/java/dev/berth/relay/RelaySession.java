package dev.berth.relay;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/// Handles the bytes between a client that has upgraded its connection and a backend.
public interface RelaySession {
  /// Opens a session.
  @FunctionalInterface
  interface Opener {
    /// Opens the session before the first byte of either side.
    ///
    /// @param client sends to the client; each call of its `write(byte[])` arrives as a whole, from
    ///   any thread
    /// @param backend sends to the backend; the session flushes it
    RelaySession open(OutputStream client, OutputStream backend) throws IOException;
  }

  /// Handles bytes of the client; called by one thread.
  ///
  /// @return false when the client ends the session
  /// @throws IOException when the backend accepts no more
  boolean fromClient(ByteBuffer bytes) throws IOException;

  /// Handles bytes of the backend; called by another thread.
  ///
  /// @return false when the backend has ended its output
  /// @throws IOException when the client accepts no more
  boolean fromBackend(ByteBuffer bytes) throws IOException;

  /// Called every few seconds while the backend does not accept the client's bytes.
  default void stillWaiting() {}

  /// Called when the backend has ended, by the thread that reads it.
  default void end() throws IOException {}
}
