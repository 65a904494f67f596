package dev.berth.server.resources;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.Status;
import dev.berth.store.Entry;
import java.util.List;

/// What a verb answers, before it is known how the client wants to read it.
public sealed interface Answer {
  int code();

  /// An object as it lies in the store.
  record Stored(int code, Entry<StoredObject> entry) implements Answer {}

  /// An object that is not (or no longer) in the store, in the stored version.
  record Tree(int code, ObjectNode object) implements Answer {}

  /// Something of another kind than the resource's own, ready to send, such as a `Scale`.
  record Other(int code, ObjectNode object) implements Answer {}

  /// A collection; items in the stored version.
  ///
  /// @param remaining -1 when unknown
  record Listing(
      List<Entry<StoredObject>> items, long revision, String continueToken, long remaining)
      implements Answer {
    @Override
    public int code() {
      return 200;
    }
  }

  record Done(int code, Status status) implements Answer {}
}
