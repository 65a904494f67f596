package dev.berth.store.etcd;

import dev.berth.store.StoreHealth;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tracks whether etcd exceeds its space quota. etcd then refuses every request that writes a
/// value; reads, watches and deletions still work.
final class SpaceQuota {
  private static final Logger log = LoggerFactory.getLogger(SpaceQuota.class);

  private final EtcdClient client;
  private volatile StoreHealth.@Nullable Degraded problem;

  SpaceQuota(EtcdClient client) {
    this.client = client;
  }

  /// etcd's error for a write over the quota; nothing was written then.
  static boolean isExceeded(Status status) {
    return status.getCode() == Status.Code.RESOURCE_EXHAUSTED
        && String.valueOf(status.getDescription()).contains("database space exceeded");
  }

  StoreHealth.Degraded exceeded() {
    StoreHealth.Degraded now =
        new StoreHealth.Degraded(
            "etcd at %s refuses writes".formatted(client.config().servers()),
            "its database is over its space quota",
            "Compact and defragment it and clear the alarm (etcdctl compact, defrag, alarm disarm), or raise its --quota-backend-bytes; writes then resume");
    if (problem == null) {
      log.error("values refused, reads and deletions continue reason=\"{}\"", now);
    }
    problem = now;
    return now;
  }

  /// A value was accepted. An accepted deletion proves nothing, because etcd always accepts
  /// deletions.
  void accepted() {
    if (problem != null) {
      problem = null;
      log.info("etcd accepts values again servers={}", client.config().servers());
    }
  }

  StoreHealth.@Nullable Degraded problem() {
    return problem;
  }
}
