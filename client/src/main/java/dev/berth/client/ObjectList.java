package dev.berth.client;

import java.util.List;

/// Objects and the revision of the state they were read from.
///
/// @param continueToken empty when there are no more
public record ObjectList<T>(String resourceVersion, String continueToken, List<T> items) {
  public ObjectList {
    items = List.copyOf(items);
  }
}
