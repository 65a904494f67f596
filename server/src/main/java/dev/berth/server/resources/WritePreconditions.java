package dev.berth.server.resources;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiException;
import dev.berth.server.resources.objects.ObjectMetadata;
import dev.berth.server.resources.objects.ObjectStore;
import dev.berth.server.resources.requests.RequestTarget;

/// Checks the preconditions of a write: uid and resourceVersion.
///
/// Preconditions protect a client from acting on another object of the same name, or on a state
/// that it has not seen.
final class WritePreconditions {
  private WritePreconditions() {}

  /// The uid in the body must be that of the stored object.
  ///
  /// @param liveUid "" when there is no stored object
  static void checkUid(RequestTarget target, ObjectNode sent, String liveUid) {
    check(target, "UID", ObjectMetadata.text(sent, "uid"), liveUid);
  }

  /// The resourceVersion of a binding must be that of the pod; updates have their own messages.
  static void checkRevision(RequestTarget target, ObjectNode sent, String liveRevision) {
    check(target, "ResourceVersion", ObjectMetadata.text(sent, "resourceVersion"), liveRevision);
  }

  private static void check(RequestTarget target, String what, String wanted, String actual) {
    if (wanted.isEmpty() || wanted.equals(actual)) {
      return;
    }
    // Upstream's message for a failed precondition of its store.
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
