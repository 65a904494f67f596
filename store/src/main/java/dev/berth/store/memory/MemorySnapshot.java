package dev.berth.store.memory;

import dev.berth.store.StoreEntry;
import dev.berth.store.StoreSnapshot;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.pcollections.TreePMap;

/// A snapshot is a persistent map: parts of it share its nodes.
record MemorySnapshot<V>(long revision, TreePMap<String, HeldEntry<V>> entries)
    implements StoreSnapshot<V> {
  @Override
  public int size() {
    return entries.size();
  }

  @Override
  public @Nullable StoreEntry<V> get(String key) {
    HeldEntry<V> held = entries.get(key);
    return held == null ? null : held.entry();
  }

  @Override
  public StoreSnapshot<V> range(String fromInclusive, String toExclusive) {
    return fromInclusive.compareTo(toExclusive) >= 0
        ? new MemorySnapshot<>(revision, TreePMap.empty())
        : new MemorySnapshot<>(revision, entries.subMap(fromInclusive, toExclusive));
  }

  @Override
  public StoreSnapshot<V> prefix(String keyPrefix) {
    if (keyPrefix.isEmpty()) {
      return this;
    }
    int last = keyPrefix.length() - 1;
    char afterLast = (char) (keyPrefix.charAt(last) + 1);
    return range(keyPrefix, keyPrefix.substring(0, last) + afterLast);
  }

  @Override
  public StoreSnapshot<V> startingAt(String key) {
    return new MemorySnapshot<>(revision, entries.tailMap(key));
  }

  @Override
  public Iterator<StoreEntry<V>> iterator() {
    Iterator<Map.Entry<String, HeldEntry<V>>> nodes = entries.entrySet().iterator();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return nodes.hasNext();
      }

      @Override
      public StoreEntry<V> next() {
        return nodes.next().getValue().entry();
      }
    };
  }

  @Override
  public String toString() {
    return size() + " entries at revision " + revision;
  }
}
