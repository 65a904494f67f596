package dev.berth.store.memory;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.pcollections.TreePMap;

/// Everything that is visible at one revision; never changes.
///
/// @param bytes what all live entries weigh
record Image<V>(long revision, Map<String, TreePMap<String, Held<V>>> buckets, long bytes) {

  static <V> Image<V> of(Contents<V> contents) {
    Map<String, TreeMap<String, Held<V>>> sorted = new HashMap<>();
    long bytes = 0;
    for (Held<V> held : contents.entries()) {
      String key = held.entry().key();
      bytes += held.weight();
      if (sorted.computeIfAbsent(Keys.bucket(key), _ -> new TreeMap<>()).put(key, held) != null) {
        throw new IllegalArgumentException("two entries with the key " + key);
      }
    }
    Map<String, TreePMap<String, Held<V>>> buckets = new HashMap<>();
    sorted.forEach((bucket, map) -> buckets.put(bucket, TreePMap.fromSortedMap(map)));
    return new Image<>(contents.revision(), buckets, bytes);
  }

  TreePMap<String, Held<V>> bucket(String bucket) {
    TreePMap<String, Held<V>> entries = buckets.get(bucket);
    return entries == null ? TreePMap.empty() : entries;
  }

  @Nullable Held<V> get(String key) {
    return bucket(Keys.bucket(key)).get(key);
  }
}
