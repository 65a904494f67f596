package dev.berth.server.resources.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.auth.ObjectReader;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.catalog.ServedKinds;
import dev.berth.store.StoreEntry;
import dev.berth.store.StoreSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Reads the newest state of objects for authorization and admission.
///
/// Every pod creation reads its namespace and its service account, so parsed objects are cached
/// while they are current.
///
/// A reader never sees an object that is older than the store: the cache is keyed by revision, and
/// the store decides which revision is current. Callers share the trees and must not change them.
/// Safe for any number of threads; two threads may parse one object at the same time, which costs
/// only time.
public final class LiveObjects implements ObjectReader {
  /// Bounds the cache; namespaces and service accounts of active clients fit.
  private static final int CAPACITY = 1_000;

  private final ObjectStore store;
  private final ServedKinds kinds;
  private final Map<String, Parsed> parsed = new ConcurrentHashMap<>();

  private record Parsed(long revision, ObjectNode tree) {}

  public LiveObjects(ObjectStore store, ServedKinds kinds) {
    this.store = store;
    this.kinds = kinds;
  }

  @Override
  public @Nullable ObjectNode read(String bucket, String namespace, String name) {
    ResourceKind kind = kinds.bucket(bucket).orElseThrow();
    if (name.isEmpty()) {
      return null;
    }
    StoreEntry<StoredObject> entry = store.find(kind, namespace, name);
    return entry == null ? null : parsed(kind, entry).tree();
  }

  @Override
  public List<ObjectNode> all(String bucket) {
    ResourceKind kind = kinds.bucket(bucket).orElseThrow();
    List<ObjectNode> objects = new ArrayList<>();
    store.list(kind, "").forEach(entry -> objects.add(parsed(kind, entry).tree()));
    return objects;
  }

  /// The empty case is frequent: most namespaces have no LimitRange.
  @Override
  public List<ObjectNode> in(String bucket, String namespace) {
    ResourceKind kind = kinds.bucket(bucket).orElseThrow();
    StoreSnapshot<StoredObject> found = store.list(kind, namespace);
    if (found.size() == 0) {
      return List.of();
    }
    List<ObjectNode> objects = new ArrayList<>();
    found.forEach(entry -> objects.add(parsed(kind, entry).tree()));
    return objects;
  }

  /// Objects that are read once are not cached.
  @Override
  public int visit(String bucket, String namespace, Predicate<ObjectNode> visitor) {
    ResourceKind kind = kinds.bucket(bucket).orElseThrow();
    StoreSnapshot<StoredObject> found = store.list(kind, namespace);
    for (StoreEntry<StoredObject> entry : found) {
      if (!visitor.test(store.tree(kind, entry.value()))) {
        break;
      }
    }
    return found.size();
  }

  private Parsed parsed(ResourceKind kind, StoreEntry<StoredObject> entry) {
    Parsed known = parsed.get(entry.key());
    if (known != null && known.revision() == entry.revision()) {
      return known;
    }
    Parsed fresh = new Parsed(entry.revision(), store.tree(kind, entry.value()));
    // A full cache is cleared as a whole, because keeping an order of use would need a lock on
    // every read.
    if (parsed.size() >= CAPACITY) {
      parsed.clear();
    }
    parsed.put(entry.key(), fresh);
    return fresh;
  }
}
