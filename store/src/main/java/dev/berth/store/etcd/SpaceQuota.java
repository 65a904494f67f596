package dev.berth.store.etcd;

import dev.berth.store.StoreHealth;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Whether etcd is over its space quota: it then refuses everything that writes a value, and goes
/// on with reads, watches and deletions.
final class SpaceQuota {
  private static final Logger log = LoggerFactory.getLogger(SpaceQuota.class);

  private final EtcdClient client;
  private volatile StoreHealth.@Nullable Degraded problem;

  SpaceQuota(EtcdClient client) {
    this.client = client;
  }

  /// What etcd says to a write when its quota is used up; nothing was written then.
  static boolean isExceeded(Status status) {
    return status.getCode() == Status.Code.RESOURCE_EXHAUSTED
        && String.valueOf(status.getDescription()).contains("database space exceeded");
  }

  StoreHealth.Degraded exceeded() {
    StoreHealth.Degraded now =
        new StoreHealth.Degraded(
            "etcd at %s refuses writes".formatted(client.config().servers()),
            "its database is over its space quota",
            "Compact and defragment it and clear the alarm (etcdctl compact, defrag, alarm disarm), or raise its --quota-backend-bytes; writes then go on by themselves");
    if (problem == null) {
      log.error("values refused, reads and deletions go on problem=\"{}\"", now);
    }
    problem = now;
    return now;
  }

  /// A value was accepted; deletions tell nothing, since etcd always makes them.
  void accepted() {
    if (problem != null) {
      problem = null;
      log.info("etcd takes values again servers={}", client.config().servers());
    }
  }

  StoreHealth.@Nullable Degraded problem() {
    return problem;
  }
}
