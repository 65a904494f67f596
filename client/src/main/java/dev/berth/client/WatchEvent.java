package dev.berth.client;

/// An event of a watch; failures come as exceptions.
public sealed interface WatchEvent<T> {
  record Added<T>(T object) implements WatchEvent<T> {}

  record Modified<T>(T object) implements WatchEvent<T> {}

  record Deleted<T>(T object) implements WatchEvent<T> {}

  /// Nothing happened up to this revision.
  record Bookmark<T>(String resourceVersion) implements WatchEvent<T> {}
}
