package dev.berth.server.resources;

import dev.berth.server.errors.ApiStatus;
import dev.berth.server.resources.objects.StoredObject;
import java.io.IOException;

/// Where a watch writes its events; the wire decides how they look.
public interface WatchSink {
  /// What happened to an object.
  enum Type {
    ADDED,
    MODIFIED,
    DELETED
  }

  /// One change.
  ///
  /// @param revision the revision of the event, which a deleted object is sent with
  void event(Type type, StoredObject object, long revision) throws IOException;

  /// How far the watch has come.
  ///
  /// @param initialEventsEnd the objects that existed at the start have all been sent
  void bookmark(long revision, boolean initialEventsEnd) throws IOException;

  void error(ApiStatus status) throws IOException;

  /// Everything so far shall reach the client now.
  void flush() throws IOException;

  /// The objects that existed at the start have been sent; from now on there are only changes.
  void initialized();

  /// The client is known to be gone.
  boolean isClosed();
}
