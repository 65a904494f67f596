package dev.berth.server.resources;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.auth.ObjectReader;
import dev.berth.server.kinds.Kinds;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.store.Entry;
import org.jspecify.annotations.Nullable;

/// The newest state of single objects for those who judge requests: authorization and admission.
public final class LiveObjects implements ObjectReader {
  private final ObjectStore store;
  private final Kinds kinds;

  public LiveObjects(ObjectStore store, Kinds kinds) {
    this.store = store;
    this.kinds = kinds;
  }

  @Override
  public @Nullable ObjectNode read(String bucket, String namespace, String name) {
    ResourceKind kind = kinds.bucket(bucket).orElseThrow();
    Entry<StoredObject> entry = store.find(kind, namespace, name);
    return entry == null ? null : store.tree(kind, entry.value());
  }
}
