package dev.berth.client;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;

/// Objects by key and by the values of indexers.
///
/// Objects change often and are listed seldom: the cache is not sorted, and a list is sorted by key
/// when it is made.
///
/// Objects are stored as they are and shared with all readers, who must not change them. Lists are
/// snapshots: later changes do not show in them. Indexers run under the write lock and must be
/// quick and free of side effects.
final class IndexedCache<T> {
  private final Map<String, Function<T, Collection<String>>> indexers;
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  // Both guarded by the lock.
  private final Map<ObjectKey, T> objects = new HashMap<>();
  private final Map<String, Map<String, Set<ObjectKey>>> indexes = new HashMap<>();

  IndexedCache(Map<String, Function<T, Collection<String>>> indexers) {
    this.indexers = indexers;
    indexers.keySet().forEach(name -> indexes.put(name, new HashMap<>()));
  }

  Optional<T> get(ObjectKey key) {
    lock.readLock().lock();
    try {
      return Optional.ofNullable(objects.get(key));
    } finally {
      lock.readLock().unlock();
    }
  }

  List<T> all() {
    lock.readLock().lock();
    try {
      return inOrder(objects.keySet());
    } finally {
      lock.readLock().unlock();
    }
  }

  List<T> byIndex(String index, String value) {
    lock.readLock().lock();
    try {
      Map<String, Set<ObjectKey>> values = indexes.get(index);
      if (values == null) {
        throw new IllegalArgumentException(
            "no index %s (there are: %s)".formatted(index, indexes.keySet()));
      }
      return inOrder(values.getOrDefault(value, Set.of()));
    } finally {
      lock.readLock().unlock();
    }
  }

  private List<T> inOrder(Set<ObjectKey> keys) {
    return keys.stream().sorted().map(objects::get).toList();
  }

  /// Returns the object that was there before, by which the informer recognizes an update.
  Optional<T> put(ObjectKey key, T object) {
    lock.writeLock().lock();
    try {
      T before = objects.put(key, object);
      if (before != null) {
        // The old values are computed from the old object, so an indexer must give the same values
        // for it again.
        unindex(key, before);
      }
      indexers.forEach(
          (name, values) ->
              values
                  .apply(object)
                  .forEach(
                      value -> keys(name).computeIfAbsent(value, _ -> new HashSet<>()).add(key)));
      return Optional.ofNullable(before);
    } finally {
      lock.writeLock().unlock();
    }
  }

  Optional<T> remove(ObjectKey key) {
    lock.writeLock().lock();
    try {
      T before = objects.remove(key);
      if (before != null) {
        unindex(key, before);
      }
      return Optional.ofNullable(before);
    } finally {
      lock.writeLock().unlock();
    }
  }

  /// Removes all other objects and returns them.
  List<T> retain(Collection<ObjectKey> keys) {
    lock.writeLock().lock();
    try {
      Set<ObjectKey> gone = new HashSet<>(objects.keySet());
      gone.removeAll(new HashSet<>(keys));
      List<T> removed = new ArrayList<>();
      gone.forEach(key -> remove(key).ifPresent(removed::add));
      return removed;
    } finally {
      lock.writeLock().unlock();
    }
  }

  private void unindex(ObjectKey key, T object) {
    indexers.forEach(
        (name, values) ->
            values
                .apply(object)
                .forEach(
                    value ->
                        keys(name)
                            .computeIfPresent(
                                value,
                                (_, keys) -> {
                                  keys.remove(key);
                                  return keys.isEmpty() ? null : keys;
                                })));
  }

  private Map<String, Set<ObjectKey>> keys(String index) {
    return indexes.computeIfAbsent(index, _ -> new HashMap<>());
  }
}
