package dev.berth.cri.serving;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// An index by id that also finds a unique prefix of an id, as containerd's truncated index does.
public final class PrefixIndex<T> {
  private final TreeMap<String, T> byId = new TreeMap<>();

  public void put(String id, T thing) {
    byId.put(id, thing);
  }

  public void remove(String id) {
    byId.remove(id);
  }

  public Collection<T> all() {
    return byId.values();
  }

  public int size() {
    return byId.size();
  }

  public void clear() {
    byId.clear();
  }

  /// Fails with containerd's error when nothing matches.
  public T find(String prefix) {
    return lookUp(prefix).orElseThrow(() -> CallRefusal.notFound("not found"));
  }

  /// Finds an entry by a prefix of its id; empty when nothing matches. It fails for an empty or an
  /// ambiguous prefix.
  public Optional<T> lookUp(String prefix) {
    if (prefix.isEmpty()) {
      throw CallRefusal.unknown("Prefix can't be empty");
    }
    var first = byId.ceilingEntry(prefix);
    if (first == null || !first.getKey().startsWith(prefix)) {
      return Optional.empty();
    }
    String next = byId.higherKey(first.getKey());
    // A whole id wins over longer ids that begin with it.
    boolean whole = first.getKey().equals(prefix);
    if (!whole && next != null && next.startsWith(prefix)) {
      throw CallRefusal.unknown("Multiple IDs found with provided prefix: " + prefix);
    }
    return Optional.of(first.getValue());
  }

  /// What a filter with this prefix selects: an empty prefix matches everything, an unknown or
  /// ambiguous one nothing, as in containerd.
  public List<T> matching(String prefix) {
    if (prefix.isEmpty()) {
      return List.copyOf(byId.values());
    }
    try {
      return lookUp(prefix).map(List::of).orElse(List.of());
    } catch (CallRefusal _) {
      return List.of();
    }
  }
}
