package dev.berth.server.resources;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiStatus;
import dev.berth.server.resources.objects.StoredObject;
import dev.berth.store.StoreEntry;
import java.util.List;

/// The answer of a verb, independent of its encoding.
///
/// Stored answers refer to the encoded bytes in the store, which are sent without being decoded if
/// the client's version and format fit. The other forms are encoded for this answer.
public sealed interface VerbAnswer {
  int code();

  /// A stored object.
  record Stored(int code, StoreEntry<StoredObject> entry) implements VerbAnswer {}

  /// An object that is not (or no longer) stored, in the stored version.
  record Tree(int code, ObjectNode object) implements VerbAnswer {}

  /// An object of another kind than the resource's, such as a `Scale`, ready to send.
  record Other(int code, ObjectNode object) implements VerbAnswer {}

  /// A collection; items in the stored version.
  ///
  /// @param remaining -1 when unknown
  record Listing(
      List<StoreEntry<StoredObject>> items, long revision, String continueToken, long remaining)
      implements VerbAnswer {
    @Override
    public int code() {
      return 200;
    }
  }

  /// An answer without an object, only a `Status`.
  record Done(int code, ApiStatus status) implements VerbAnswer {}
}
