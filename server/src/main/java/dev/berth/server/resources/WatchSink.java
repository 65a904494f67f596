package dev.berth.server.resources;

import dev.berth.server.errors.ApiStatus;
import dev.berth.server.resources.objects.StoredObject;
import java.io.IOException;

/// Receives the events of a watch; its implementations encode them.
///
/// The thread of the watch calls all methods; an implementation needs no lock. A method that writes
/// may block while the client is slow; the transport cuts off a client that stays slow.
public interface WatchSink {
  /// The type of a change.
  enum Type {
    ADDED,
    MODIFIED,
    DELETED
  }

  /// Receives a change.
  ///
  /// @param revision the revision of the event; a deleted object is sent with it
  void event(Type type, StoredObject object, long revision) throws IOException;

  /// Reports the progress of the watch.
  ///
  /// @param initialEventsEnd whether all objects that existed at the start have been sent
  void bookmark(long revision, boolean initialEventsEnd) throws IOException;

  void error(ApiStatus status) throws IOException;

  /// Sends everything that is buffered.
  void flush() throws IOException;

  /// The objects that existed at the start have been sent; from now on there are only changes.
  void initialized();

  /// Whether the client is known to have disconnected.
  boolean isClosed();
}
