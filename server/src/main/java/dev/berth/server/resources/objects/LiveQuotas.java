package dev.berth.server.resources.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.ResourceAmounts;
import dev.berth.server.admission.quotas.QuotaStore;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.catalog.ServedKinds;
import dev.berth.store.StoreEntry;
import dev.berth.store.StoreSnapshot;
import dev.berth.store.WriteOutcome;
import java.util.ArrayList;
import java.util.List;

/// Reads stored ResourceQuotas and writes the used amounts of their status, bypassing the rules of
/// client writes as a binding does for pods.
public final class LiveQuotas implements QuotaStore {
  private final ObjectStore store;
  private final ResourceKind kind;

  public LiveQuotas(ObjectStore store, ServedKinds kinds) {
    this.store = store;
    this.kind = kinds.bucket("resourcequotas").orElseThrow();
  }

  @Override
  public List<StoredQuota> quotas(String namespace) {
    StoreSnapshot<StoredObject> found = store.list(kind, namespace);
    if (found.size() == 0) {
      return List.of();
    }
    List<StoredQuota> quotas = new ArrayList<>();
    found.forEach(entry -> quotas.add(quota(entry)));
    return quotas;
  }

  private StoredQuota quota(StoreEntry<StoredObject> entry) {
    return StoredQuota.of(store.tree(kind, entry.value()), entry.revision());
  }

  /// The write is conditional on the revision of the expected quota: two charges of one quota
  /// cannot both succeed on the same old amounts, also on different servers of a shared store. The
  /// caller charges again with the returned quota.
  @Override
  public Change setUsed(StoredQuota expected, ResourceAmounts used) {
    ObjectNode object = expected.object().deepCopy();
    used.writeTo(object.withObjectProperty("status").putObject("used"));
    return switch (store.replace(kind, object, expected.revision())) {
      case WriteOutcome.Committed<StoredObject>(_, var written, _) ->
          new Change(true, written == null ? null : quota(written));
      case WriteOutcome.Refused<StoredObject>(var current) ->
          new Change(false, current == null ? null : quota(current));
    };
  }
}
