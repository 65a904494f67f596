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

/// Lets readers wait until the memory shows what any server had written before they came.
///
/// etcd's leader is asked for its revision, and the watch is waited for. Whoever comes while a
/// question is under way joins the next one: its answer may be older than they are. So there is one
/// question at a time, however many readers there are.
final class EtcdCatchUp {
  /// How long the watch usually takes at most to deliver what is below our prefix. A revision that
  /// has not come by then may be somebody else's, which never comes.
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
      // Not on a reader's thread, whose request may be given up while others wait for the answer.
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
            client.failed("etcd did not tell its newest revision", e.getStatus()));
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

  /// The member that was asked may just be going away; another one knows as much.
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

  /// A write of our own below the prefix: when the watch delivers it, it has delivered all before.
  /// Needed where others use the same etcd, since their writes count, too, and are not delivered.
  /// etcd could tell without a write, but before 3.4.25 and 3.5.8 its word may overtake events.
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

  /// Without a mark, for which etcd has no space: what is missing here may all be somebody else's.
  /// That takes a look at every key, and must be possible: deletions make space again.
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
            "what others wrote may not be visible here yet",
            "etcd's watch has not delivered revision %d within %s"
                .formatted(revision, client.config().requestTimeout()),
            "Try again; if it stays so, look at etcd's load (etcdctl endpoint status)"),
        null);
  }
}
