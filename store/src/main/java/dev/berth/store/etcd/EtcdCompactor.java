package dev.berth.store.etcd;

import dev.berth.store.memory.MemoryStore;
import io.etcd.jetcd.api.CompactionRequest;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Compacts old history in memory and in etcd. etcd keeps every change until somebody compacts it.
///
/// Every server does this; compacting a revision twice is harmless.
final class EtcdCompactor {
  private static final Logger log = LoggerFactory.getLogger(EtcdCompactor.class);
  private static final Duration TICK = Duration.ofSeconds(30);

  private final EtcdClient client;
  private final MemoryStore<?> memory;
  private final Thread thread;

  EtcdCompactor(EtcdClient client, MemoryStore<?> memory) {
    this.client = client;
    this.memory = memory;
    this.thread = Thread.ofVirtual().name("etcd-compactor").unstarted(this::run);
    thread.start();
  }

  private void run() {
    long every = client.config().compactEvery().toNanos();
    Duration tick = every > 0 && every < TICK.toNanos() ? Duration.ofNanos(every) : TICK;
    long last = System.nanoTime();
    // The revision of the last round: a compaction leaves the history of one whole interval.
    long old = memory.revision();
    try {
      while (true) {
        Thread.sleep(tick);
        memory.dropOldHistory();
        if (every > 0 && System.nanoTime() - last >= every) {
          compact(old);
          old = memory.revision();
          last = System.nanoTime();
        }
      }
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  private void compact(long revision) {
    try {
      client.keys().compact(CompactionRequest.newBuilder().setRevision(revision).build());
    } catch (StatusRuntimeException e) {
      // Usually another server was first, which etcd answers with OUT_OF_RANGE.
      log.debug("not compacted revision={} status={}", revision, e.getStatus());
    }
  }

  void close() {
    thread.interrupt();
  }
}
