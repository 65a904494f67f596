package dev.berth.client;

import java.util.List;

/// Objects and the revision of the state they were read from.
///
/// A list whose pages were read one after another still is one state, because all pages carry the
/// same revision.
///
/// @param continueToken empty when there are no more
public record ObjectList<T>(String resourceVersion, String continueToken, List<T> items) {
  public ObjectList {
    items = List.copyOf(items);
  }
}
