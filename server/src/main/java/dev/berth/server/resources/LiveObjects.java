package dev.berth.server.resources;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.auth.ObjectReader;
import dev.berth.server.kinds.Kinds;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.store.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The newest state of single objects for those who judge requests: authorization and admission.
///
/// Every pod asks for its namespace and its account, so what was parsed is kept while it is the
/// newest.
public final class LiveObjects implements ObjectReader {
  private static final int CAPACITY = 1_000;

  private final ObjectStore store;
  private final Kinds kinds;
  private final Map<String, Parsed> parsed = new ConcurrentHashMap<>();

  private record Parsed(long revision, ObjectNode tree) {}

  public LiveObjects(ObjectStore store, Kinds kinds) {
    this.store = store;
    this.kinds = kinds;
  }

  @Override
  public @Nullable ObjectNode read(String bucket, String namespace, String name) {
    ResourceKind kind = kinds.bucket(bucket).orElseThrow();
    if (name.isEmpty()) {
      return null;
    }
    Entry<StoredObject> entry = store.find(kind, namespace, name);
    return entry == null ? null : parsed(kind, entry).tree();
  }

  @Override
  public List<ObjectNode> all(String bucket) {
    ResourceKind kind = kinds.bucket(bucket).orElseThrow();
    List<ObjectNode> objects = new ArrayList<>();
    store.list(kind, "").forEach(entry -> objects.add(parsed(kind, entry).tree()));
    return objects;
  }

  private Parsed parsed(ResourceKind kind, Entry<StoredObject> entry) {
    Parsed known = parsed.get(entry.key());
    if (known != null && known.revision() == entry.revision()) {
      return known;
    }
    Parsed fresh = new Parsed(entry.revision(), store.tree(kind, entry.value()));
    if (parsed.size() >= CAPACITY) {
      parsed.clear();
    }
    parsed.put(entry.key(), fresh);
    return fresh;
  }
}
