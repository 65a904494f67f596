package dev.berth.store.etcd;

import com.google.protobuf.ByteString;
import dev.berth.store.StoreHealth;
import dev.berth.store.StoreUnavailableException;
import dev.berth.store.memory.MemoryStore;
import io.etcd.jetcd.api.PutRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/// Lets readers wait until the memory shows every write that any server made before they asked.
///
/// It asks etcd's leader for its revision and waits until the watch has delivered it. A reader that
/// arrives while a request is in flight joins the next request, because the answer to the current
/// one may be older than the reader's call. So at most one request is in flight, however many
/// readers wait.
final class EtcdCatchUp {
  /// Upper bound of the usual delay of the watch. A revision that has not arrived by then may
  /// belong to a key outside the prefix, which this watch never delivers.
  private static final Duration GRACE = Duration.ofMillis(10);

  private final EtcdClient client;
  private final MemoryStore<?> memory;

  // Guarded by this.
  private @Nullable CompletableFuture<Void> next;
  private boolean asking;

  EtcdCatchUp(EtcdClient client, MemoryStore<?> memory) {
    this.client = client;
    this.memory = memory;
  }

  void await() throws InterruptedException {
    try {
      joinNext().get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof StoreUnavailableException failure) {
        throw new StoreUnavailableException(failure.problem(), failure);
      }
      throw new IllegalStateException("the newest revision could not be asked for", e.getCause());
    }
  }

  private synchronized CompletableFuture<Void> joinNext() {
    CompletableFuture<Void> joined = next;
    if (joined == null) {
      joined = new CompletableFuture<>();
      next = joined;
    }
    if (!asking) {
      asking = true;
      // Not on a reader's thread: that reader may be interrupted while others wait for the answer.
      Thread.ofVirtual().name("etcd-catch-up").start(this::askForAll);
    }
    return joined;
  }

  private void askForAll() {
    for (CompletableFuture<Void> round = take(); round != null; round = take()) {
      try {
        ask();
        round.complete(null);
      } catch (StatusRuntimeException e) {
        round.completeExceptionally(
            client.failed("etcd did not report its newest revision", e.getStatus()));
      } catch (Throwable e) {
        round.completeExceptionally(e);
      }
    }
  }

  private synchronized @Nullable CompletableFuture<Void> take() {
    CompletableFuture<Void> taken = next;
    next = null;
    asking = taken != null;
    return taken;
  }

  private void ask() throws InterruptedException {
    long newest = newestRevision();
    if (!memory.awaitRevision(newest, GRACE)) {
      awaitMark(newest);
    }
  }

  /// The member that was asked may be shutting down; any other member gives the same answer.
  private long newestRevision() {
    try {
      return client.newestRevision();
    } catch (StatusRuntimeException e) {
      if (e.getStatus().getCode() != Status.Code.UNAVAILABLE) {
        throw e;
      }
      return client.newestRevision();
    }
  }

  /// A write of this server below the prefix: when the watch delivers it, it has delivered
  /// everything before it. The write is needed where others share etcd: their writes raise the
  /// revision too, but the watch does not deliver them. etcd's progress notification would need no
  /// write, but before 3.4.25 and 3.5.8 it may overtake events.
  private void awaitMark(long newest) throws InterruptedException {
    PutRequest mark =
        PutRequest.newBuilder().setKey(client.markKey()).setValue(ByteString.EMPTY).build();
    long revision;
    try {
      revision = client.keys().put(mark).getHeader().getRevision();
    } catch (StatusRuntimeException e) {
      if (!SpaceQuota.isExceeded(e.getStatus())) {
        throw e;
      }
      awaitOwnChanges(newest);
      return;
    }
    if (!memory.awaitRevision(revision, client.config().requestTimeout())) {
      throw late(revision);
    }
  }

  /// Without a mark, for which etcd has no space: all missing revisions may belong to keys outside
  /// the prefix. This reads every key. It must work without a write, because deletions are what
  /// frees space again.
  private void awaitOwnChanges(long newest) throws InterruptedException {
    long seen = memory.revision();
    while (seen < newest && client.hasChanged(seen, newest)) {
      if (!memory.awaitRevision(seen + 1, client.config().requestTimeout())) {
        throw late(newest);
      }
      seen = memory.revision();
    }
  }

  private StoreUnavailableException late(long revision) {
    return new StoreUnavailableException(
        new StoreHealth.Degraded(
            "writes of other servers may not be visible here yet",
            "etcd's watch has not delivered revision %d within %s"
                .formatted(revision, client.config().requestTimeout()),
            "Try again; if this persists, check etcd's load (etcdctl endpoint status)"),
        null);
  }
}
