package dev.berth.server.resources;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiException;
import dev.berth.server.resources.objects.ObjectMetadata;
import dev.berth.server.resources.objects.ObjectStore;
import dev.berth.server.resources.requests.RequestTarget;

/// What a client insists on by what it sends: that the object is still the one it read.
final class WritePreconditions {
  private WritePreconditions() {}

  /// A uid that is sent must be that of the stored object.
  ///
  /// @param liveUid "" when nothing is stored
  static void checkUid(RequestTarget target, ObjectNode sent, String liveUid) {
    check(target, "UID", ObjectMetadata.text(sent, "uid"), liveUid);
  }

  /// The revision that a binding names must be that of the pod; an update has words of its own.
  static void checkRevision(RequestTarget target, ObjectNode sent, String liveRevision) {
    check(target, "ResourceVersion", ObjectMetadata.text(sent, "resourceVersion"), liveRevision);
  }

  private static void check(RequestTarget target, String what, String wanted, String actual) {
    if (wanted.isEmpty() || wanted.equals(actual)) {
      return;
    }
    // Upstream's words for a condition that its store found not to hold.
    throw ApiException.conflict(
        target.kind().resource(),
        target.name(),
        ("StorageError: invalid object, Code: 4, Key: /registry/%1$s, ResourceVersion: 0,"
                + " AdditionalErrorMsg: Precondition failed: %2$s in precondition: %3$s, %2$s in"
                + " object meta: %4$s")
            .formatted(
                ObjectStore.key(target.kind(), target.namespace(), target.name()),
                what,
                wanted,
                actual));
  }
}
