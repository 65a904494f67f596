package dev.berth.store;

import org.jspecify.annotations.Nullable;

/// The entries of a bucket, or of a part of it, at one revision: immutable and sorted by key.
/// Keeping a snapshot costs only the entries that changed since.
public interface StoreSnapshot<V> extends Iterable<StoreEntry<V>> {
  long revision();

  int size();

  @Nullable StoreEntry<V> get(String key);

  StoreSnapshot<V> range(String fromInclusive, String toExclusive);

  StoreSnapshot<V> prefix(String keyPrefix);

  /// The entries whose key is the given one or sorts after it.
  StoreSnapshot<V> startingAt(String key);

  default int count(String keyPrefix) {
    return prefix(keyPrefix).size();
  }
}
