package dev.berth.store.memory;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.pcollections.TreePMap;

/// The visible state at one revision; immutable.
///
/// @param bytes the size of all live entries
record StoreImage<V>(
    long revision, Map<String, TreePMap<String, HeldEntry<V>>> buckets, long bytes) {

  static <V> StoreImage<V> of(JournalContents<V> contents) {
    Map<String, TreeMap<String, HeldEntry<V>>> sorted = new HashMap<>();
    long bytes = 0;
    for (HeldEntry<V> held : contents.entries()) {
      String key = held.entry().key();
      bytes += held.weight();
      if (sorted.computeIfAbsent(KeyParts.bucket(key), _ -> new TreeMap<>()).put(key, held)
          != null) {
        throw new IllegalArgumentException("two entries with the key " + key);
      }
    }
    Map<String, TreePMap<String, HeldEntry<V>>> buckets = new HashMap<>();
    sorted.forEach((bucket, map) -> buckets.put(bucket, TreePMap.fromSortedMap(map)));
    return new StoreImage<>(contents.revision(), buckets, bytes);
  }

  TreePMap<String, HeldEntry<V>> bucket(String bucket) {
    TreePMap<String, HeldEntry<V>> entries = buckets.get(bucket);
    return entries == null ? TreePMap.empty() : entries;
  }

  @Nullable HeldEntry<V> get(String key) {
    return bucket(KeyParts.bucket(key)).get(key);
  }
}
