package dev.berth.store.etcd;

import dev.berth.store.Decoder;
import dev.berth.store.Entry;
import dev.berth.store.Event;
import dev.berth.store.Health;
import dev.berth.store.Outcome;
import dev.berth.store.StoreLimits;
import dev.berth.store.StoreUnavailableException;
import dev.berth.store.ValueTooLargeException;
import dev.berth.store.Write;
import dev.berth.store.memory.Held;
import dev.berth.store.memory.Memory;
import dev.berth.store.memory.MemoryReads;
import dev.berth.store.memory.Prepared;
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
public final class EtcdStore<V> extends MemoryReads<V> {
  private static final Duration RETRY = Duration.ofMillis(250);

  private final EtcdClient client;
  private final EtcdLoader<V> loader;
  private final Decoder<V> decoder;
  private final StoreLimits limits;
  private final Memory<V> memory;
  private final EtcdFeed<V> feed;
  private final SpaceQuota quota;
  private final EtcdCompactor compactor;
  private final EtcdCatchUp catchUp;

  private EtcdStore(
      EtcdClient client,
      EtcdLoader<V> loader,
      Decoder<V> decoder,
      StoreLimits limits,
      Memory<V> memory,
      Landmark newest) {
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

  /// Reads everything below the prefix and follows it from there.
  ///
  /// @throws StoreUnavailableException when etcd does not answer within the start timeout
  public static <V> EtcdStore<V> open(
      EtcdConfig config, Decoder<V> decoder, StoreLimits limits, InstantSource clock)
      throws InterruptedException {
    EtcdClient client = new EtcdClient(config);
    try {
      EtcdLoader<V> loader = new EtcdLoader<>(client, decoder);
      EtcdLoader.Loaded<V> loaded = load(client, loader);
      Memory<V> memory = new Memory<>(limits, clock, loaded.contents());
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
  public Outcome<V> commit(Write write) throws InterruptedException {
    return commit(List.of(Prepared.of(write, decoder, limits))).getFirst();
  }

  @Override
  public List<Outcome<V>> commitAll(List<Write> writes) throws InterruptedException {
    List<Prepared<V>> prepared = Prepared.all(writes, decoder, limits);
    return prepared.isEmpty() ? List.of() : commit(prepared);
  }

  private List<Outcome<V>> commit(List<Prepared<V>> writes) throws InterruptedException {
    memory.checkOpen();
    writes.forEach(memory::checkRoom);
    // Without the watch a write could be made, but not be seen here.
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

  private TxnResponse send(List<Prepared<V>> writes) throws InterruptedException {
    try {
      TxnResponse response = client.keys().txn(EtcdTransaction.of(writes, client::key));
      if (writes.stream().anyMatch(write -> write.bytes() != null)) {
        quota.accepted();
      }
      return response;
    } catch (StatusRuntimeException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException("interrupted, the write may still be made");
      }
      throw failed(writes, e.getStatus());
    }
  }

  private RuntimeException failed(List<Prepared<V>> writes, Status status) {
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
        "a write of %s was not acknowledged and may or may not have been made".formatted(key),
        status);
  }

  private List<Outcome<V>> committed(List<Prepared<V>> writes, long revision)
      throws InterruptedException {
    if (!memory.awaitRevision(revision, client.config().requestTimeout())) {
      throw new StoreUnavailableException(
          new Health.Degraded(
              "a write of %s was made in etcd but is not visible here yet"
                  .formatted(writes.getFirst().key()),
              "etcd's watch has not delivered revision %d within %s"
                  .formatted(revision, client.config().requestTimeout()),
              "Read the object again later"),
          feed.failure());
    }
    List<Outcome<V>> outcomes = new ArrayList<>(writes.size());
    for (Prepared<V> write : writes) {
      Event<V> event = memory.eventAt(write.key(), revision);
      outcomes.add(
          event == null
              ? new Outcome.Committed<>(revision, withoutHistory(write, revision), null)
              : new Outcome.Committed<>(revision, event.current(), event.previous()));
    }
    return outcomes;
  }

  /// What was written, when the memory has already forgotten the event.
  private @Nullable Entry<V> withoutHistory(Prepared<V> write, long revision) {
    LongFunction<V> value = write.value();
    if (value == null) {
      return null;
    }
    Entry<V> newer = memory.get(write.key());
    long created =
        newer == null || write.write() instanceof Write.Create ? revision : newer.createRevision();
    return new Entry<>(write.key(), value.apply(revision), created, revision);
  }

  private List<Outcome<V>> refused(List<Prepared<V>> writes, TxnResponse response)
      throws InterruptedException {
    List<Outcome<V>> outcomes = new ArrayList<>(writes.size());
    for (int i = 0; i < writes.size(); i++) {
      ResponseOp answer = response.getResponses(i);
      RangeResponse found = answer.getResponseRange();
      Held<V> current = found.getKvsCount() == 0 ? null : loader.decode(found.getKvs(0));
      awaitCurrent(writes.get(i).key(), current);
      outcomes.add(new Outcome.Refused<>(current == null ? null : current.entry()));
    }
    return outcomes;
  }

  /// Another server's change may be ahead of our watch; a caller that reads and tries again must
  /// see it.
  private void awaitCurrent(String key, @Nullable Held<V> current) throws InterruptedException {
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
  public Health health() {
    StoreUnavailableException failure = feed.failure();
    Health.Degraded problem = failure == null ? quota.problem() : failure.problem();
    if (problem == null) {
      problem = feed.unreadable();
    }
    return problem == null ? new Health.Ok() : problem;
  }

  @Override
  protected Memory<V> memory() {
    return memory;
  }

  @Override
  public void close() {
    memory.close();
    compactor.close();
    feed.close();
    client.close();
  }
}
