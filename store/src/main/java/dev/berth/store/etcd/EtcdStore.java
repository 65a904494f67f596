package dev.berth.store.etcd;

import dev.berth.store.StoreEntry;
import dev.berth.store.StoreEvent;
import dev.berth.store.StoreHealth;
import dev.berth.store.StoreLimits;
import dev.berth.store.StoreUnavailableException;
import dev.berth.store.StoreWrite;
import dev.berth.store.StoredDecoder;
import dev.berth.store.ValueTooLargeException;
import dev.berth.store.WriteOutcome;
import dev.berth.store.memory.HeldEntry;
import dev.berth.store.memory.MemoryReads;
import dev.berth.store.memory.MemoryStore;
import dev.berth.store.memory.PreparedWrite;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.ResponseOp;
import io.etcd.jetcd.api.TxnResponse;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/// A store that any number of servers share through etcd.
///
/// Any thread may call it. Writes go to etcd directly; the memory changes only when the watch
/// delivers them, so that every server sees all changes in the same order. While the watch is
/// interrupted, reads continue from memory and writes are refused.
public final class EtcdStore<V> extends MemoryReads<V> {
  private static final Duration RETRY = Duration.ofMillis(250);

  private final EtcdClient client;
  private final EtcdLoader<V> loader;
  private final StoredDecoder<V> decoder;
  private final StoreLimits limits;
  private final MemoryStore<V> memory;
  private final EtcdFeed<V> feed;
  private final SpaceQuota quota;
  private final EtcdCompactor compactor;
  private final EtcdCatchUp catchUp;

  private EtcdStore(
      EtcdClient client,
      EtcdLoader<V> loader,
      StoredDecoder<V> decoder,
      StoreLimits limits,
      MemoryStore<V> memory,
      LastSeenRevision newest) {
    this.client = client;
    this.loader = loader;
    this.decoder = decoder;
    this.limits = limits;
    this.memory = memory;
    this.feed = new EtcdFeed<>(client, loader, memory, newest);
    this.quota = new SpaceQuota(client);
    this.compactor = new EtcdCompactor(client, memory);
    this.catchUp = new EtcdCatchUp(client, memory);
  }

  /// Reads all keys below the prefix and watches them from that revision.
  ///
  /// @throws StoreUnavailableException when etcd does not answer within the start timeout
  public static <V> EtcdStore<V> open(
      EtcdConfig config, StoredDecoder<V> decoder, StoreLimits limits, InstantSource clock)
      throws InterruptedException {
    EtcdClient client = new EtcdClient(config);
    try {
      EtcdLoader<V> loader = new EtcdLoader<>(client, decoder);
      EtcdLoader.Loaded<V> loaded = load(client, loader);
      MemoryStore<V> memory = new MemoryStore<>(limits, clock, loaded.contents());
      EtcdStore<V> store =
          new EtcdStore<>(client, loader, decoder, limits, memory, loaded.newest());
      store.awaitFirstContact();
      return store;
    } catch (RuntimeException | InterruptedException e) {
      client.close();
      throw e;
    }
  }

  private static <V> EtcdLoader.Loaded<V> load(EtcdClient client, EtcdLoader<V> loader)
      throws InterruptedException {
    long deadline = System.nanoTime() + client.config().startTimeout().toNanos();
    while (true) {
      try {
        return loader.load();
      } catch (StatusRuntimeException e) {
        if (System.nanoTime() > deadline) {
          throw client.notReached(e.getStatus());
        }
        Thread.sleep(RETRY);
        client.reconnect();
      }
    }
  }

  private void awaitFirstContact() throws InterruptedException {
    if (!feed.awaitFirstContact(client.config().startTimeout())) {
      StoreUnavailableException failure = feed.failure();
      if (failure != null) {
        close();
        throw client.notReached(Status.fromThrowable(failure));
      }
    }
  }

  @Override
  public WriteOutcome<V> commit(StoreWrite write) throws InterruptedException {
    return commit(List.of(PreparedWrite.of(write, decoder, limits))).getFirst();
  }

  @Override
  public List<WriteOutcome<V>> commitAll(List<StoreWrite> writes) throws InterruptedException {
    List<PreparedWrite<V>> prepared = PreparedWrite.all(writes, decoder, limits);
    return prepared.isEmpty() ? List.of() : commit(prepared);
  }

  private List<WriteOutcome<V>> commit(List<PreparedWrite<V>> writes) throws InterruptedException {
    memory.checkOpen();
    writes.forEach(memory::checkRoom);
    // Without the watch a write could succeed in etcd without becoming visible here.
    checkFollowing();
    TxnResponse response = send(writes);
    return response.getSucceeded()
        ? committed(writes, response.getHeader().getRevision())
        : refused(writes, response);
  }

  private void checkFollowing() {
    StoreUnavailableException failure = feed.failure();
    if (failure != null) {
      throw new StoreUnavailableException(failure.problem(), failure);
    }
  }

  private TxnResponse send(List<PreparedWrite<V>> writes) throws InterruptedException {
    try {
      TxnResponse response = client.keys().txn(EtcdTransaction.of(writes, client::key));
      if (writes.stream().anyMatch(write -> write.bytes() != null)) {
        quota.accepted();
      }
      return response;
    } catch (StatusRuntimeException e) {
      // gRPC reports an interrupted wait as CANCELLED and sets the interrupt flag again.
      if (Thread.interrupted()) {
        throw new InterruptedException("interrupted; the write may still be stored");
      }
      throw failed(writes, e.getStatus());
    }
  }

  private RuntimeException failed(List<PreparedWrite<V>> writes, Status status) {
    String key = writes.getFirst().key();
    String description = String.valueOf(status.getDescription());
    if (description.contains("request is too large")) {
      byte[] bytes = writes.getFirst().bytes();
      return new ValueTooLargeException(
          key, bytes == null ? 0 : bytes.length, limits.maxValueBytes());
    }
    if (status.getCode() == Status.Code.INVALID_ARGUMENT) {
      return new IllegalArgumentException("etcd refused a write of " + key + ": " + description);
    }
    if (SpaceQuota.isExceeded(status)) {
      return new StoreUnavailableException(quota.exceeded(), status.asRuntimeException());
    }
    return client.failed(
        "a write of %s was not acknowledged and may or may not be stored".formatted(key), status);
  }

  private List<WriteOutcome<V>> committed(List<PreparedWrite<V>> writes, long revision)
      throws InterruptedException {
    // The caller may read its own write next.
    if (!memory.awaitRevision(revision, client.config().requestTimeout())) {
      throw new StoreUnavailableException(
          new StoreHealth.Degraded(
              "a write of %s was made in etcd but is not visible here yet"
                  .formatted(writes.getFirst().key()),
              "etcd's watch has not delivered revision %d within %s"
                  .formatted(revision, client.config().requestTimeout()),
              "Read the object again later"),
          feed.failure());
    }
    List<WriteOutcome<V>> outcomes = new ArrayList<>(writes.size());
    for (PreparedWrite<V> write : writes) {
      StoreEvent<V> event = memory.eventAt(write.key(), revision);
      outcomes.add(
          event == null
              ? new WriteOutcome.Committed<>(revision, withoutHistory(write, revision), null)
              : new WriteOutcome.Committed<>(revision, event.current(), event.previous()));
    }
    return outcomes;
  }

  /// The written entry, when the memory no longer has the event.
  private @Nullable StoreEntry<V> withoutHistory(PreparedWrite<V> write, long revision) {
    LongFunction<V> value = write.value();
    if (value == null) {
      return null;
    }
    StoreEntry<V> newer = memory.get(write.key());
    long created =
        newer == null || write.write() instanceof StoreWrite.Create
            ? revision
            : newer.createRevision();
    return new StoreEntry<>(write.key(), value.apply(revision), created, revision);
  }

  private List<WriteOutcome<V>> refused(List<PreparedWrite<V>> writes, TxnResponse response)
      throws InterruptedException {
    List<WriteOutcome<V>> outcomes = new ArrayList<>(writes.size());
    for (int i = 0; i < writes.size(); i++) {
      ResponseOp answer = response.getResponses(i);
      RangeResponse found = answer.getResponseRange();
      HeldEntry<V> current = found.getKvsCount() == 0 ? null : loader.decode(found.getKvs(0));
      awaitCurrent(writes.get(i).key(), current);
      outcomes.add(new WriteOutcome.Refused<>(current == null ? null : current.entry()));
    }
    return outcomes;
  }

  /// Another server's change may be ahead of this server's watch; a caller that reads and retries
  /// must see it.
  private void awaitCurrent(String key, @Nullable HeldEntry<V> current)
      throws InterruptedException {
    long deadline = System.nanoTime() + client.config().requestTimeout().toNanos();
    if (current != null) {
      memory.awaitRevision(current.entry().revision(), client.config().requestTimeout());
      return;
    }
    long seen = memory.revision();
    while (memory.get(key) != null && System.nanoTime() < deadline) {
      memory.awaitRevision(seen + 1, Duration.ofNanos(deadline - System.nanoTime()));
      seen = memory.revision();
    }
  }

  @Override
  public boolean isShared() {
    return true;
  }

  @Override
  public void catchUp() throws InterruptedException {
    memory.checkOpen();
    checkFollowing();
    catchUp.await();
  }

  @Override
  public StoreHealth health() {
    StoreUnavailableException failure = feed.failure();
    StoreHealth.Degraded problem = failure == null ? quota.problem() : failure.problem();
    if (problem == null) {
      problem = feed.unreadable();
    }
    return problem == null ? new StoreHealth.Ok() : problem;
  }

  @Override
  protected MemoryStore<V> memory() {
    return memory;
  }

  @Override
  public void close() {
    // The memory first: it ends waits for revisions, and no thread uses the client after it is
    // closed.
    memory.close();
    compactor.close();
    feed.close();
    client.close();
  }
}
