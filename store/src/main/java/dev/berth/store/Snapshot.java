package dev.berth.store;

import org.jspecify.annotations.Nullable;

/// The entries of a bucket, or of a part of it, at one revision: immutable, sorted by key, free to
/// keep.
public interface Snapshot<V> extends Iterable<Entry<V>> {
  long revision();

  int size();

  @Nullable Entry<V> get(String key);

  Snapshot<V> range(String fromInclusive, String toExclusive);

  Snapshot<V> prefix(String keyPrefix);

  /// The entries whose key is the given one or sorts after it.
  Snapshot<V> startingAt(String key);

  default int count(String keyPrefix) {
    return prefix(keyPrefix).size();
  }
}
