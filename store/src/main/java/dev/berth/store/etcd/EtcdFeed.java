package dev.berth.store.etcd;

import dev.berth.store.StoreHealth;
import dev.berth.store.StoreUnavailableException;
import dev.berth.store.etcd.LastSeenRevision.Trace;
import dev.berth.store.memory.HeldEntry;
import dev.berth.store.memory.MemoryStore;
import dev.berth.store.memory.VisibleChange;
import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.BlockingClientCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The only thread that changes the memory: it follows an etcd watch and resumes it after every
/// failure.
final class EtcdFeed<V> {
  private static final Logger log = LoggerFactory.getLogger(EtcdFeed.class);

  /// Time between two attempts to reach etcd. It does not grow: writes are refused meanwhile.
  private static final Duration PAUSE = Duration.ofMillis(250);

  private final EtcdClient client;
  private final EtcdLoader<V> loader;
  private final MemoryStore<V> memory;
  private final UnreadableKeys unreadable = new UnreadableKeys();
  private final CountDownLatch firstContact = new CountDownLatch(1);
  private final Thread thread;

  private volatile @Nullable StoreUnavailableException failure;

  // Confined to the feed's thread.
  private LastSeenRevision lastSeenRevision;

  /// @param lastSeenRevision the newest key that the memory was filled with
  EtcdFeed(
      EtcdClient client,
      EtcdLoader<V> loader,
      MemoryStore<V> memory,
      LastSeenRevision lastSeenRevision) {
    this.client = client;
    this.loader = loader;
    this.memory = memory;
    this.lastSeenRevision = lastSeenRevision;
    this.failure = client.failed(unreachable(), Status.UNAVAILABLE.withDescription("connecting"));
    this.thread = Thread.ofVirtual().name("etcd-feed").unstarted(this::run);
    thread.start();
  }

  /// The reason why the memory does not follow etcd at present; null while it does.
  @Nullable StoreUnavailableException failure() {
    return failure;
  }

  /// What is wrong with values in etcd while the watch works; null when nothing is.
  StoreHealth.@Nullable Degraded unreadable() {
    return unreadable.problem();
  }

  boolean awaitFirstContact(Duration timeout) throws InterruptedException {
    return firstContact.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  private void run() {
    try {
      while (true) {
        try {
          follow();
        } catch (StatusException e) {
          pause(client.failed(unreachable(), e.getStatus()));
        } catch (StatusRuntimeException e) {
          pause(client.failed(unreachable(), e.getStatus()));
        } catch (StoreUnavailableException e) {
          pause(e);
        }
      }
    } catch (InterruptedException _) {
      // Closed.
    } catch (Throwable e) {
      degrade(
          new StoreUnavailableException(
              new StoreHealth.Degraded(
                  "this server no longer follows etcd",
                  "its feed ended with " + e,
                  "Restart this server"),
              e));
    }
  }

  private void pause(StoreUnavailableException e) throws InterruptedException {
    degrade(e);
    Thread.sleep(PAUSE);
    client.reconnect();
  }

  /// Returns when the watch must be opened again.
  private void follow() throws InterruptedException, StatusException {
    BlockingClientCall<WatchRequest, WatchResponse> call = client.watch();
    try {
      call.write(WatchRequest.newBuilder().setCreateRequest(afterMemory()).build());
      WatchFragments fragments = new WatchFragments();
      boolean valid = true;
      while (valid) {
        WatchResponse response = call.read();
        if (response == null) {
          throw Status.UNAVAILABLE.withDescription("the watch ended").asException();
        }
        valid = handle(response, fragments);
      }
    } catch (StatusException e) {
      if (!EtcdClient.isTooLong(e.getStatus())) {
        throw e;
      }
      reload("the missed changes come in a message that is too long");
    } finally {
      call.cancel("no longer followed", null);
    }
  }

  private WatchCreateRequest.Builder afterMemory() {
    return WatchFragments.allowedBy(WatchCreateRequest.newBuilder())
        .setKey(client.key(""))
        .setRangeEnd(client.rangeEnd())
        .setProgressNotify(true)
        .setStartRevision(memory.revision() + 1);
  }

  private boolean handle(WatchResponse response, WatchFragments fragments)
      throws InterruptedException, StatusException {
    if (response.getCanceled()) {
      // Only a compacted start revision cancels a watch for good. Other reasons pass, such as a
      // member that lost its leader.
      if (response.getCompactRevision() == 0) {
        throw Status.UNAVAILABLE.withDescription(response.getCancelReason()).asException();
      }
      reload("history is compacted up to " + response.getCompactRevision());
      return false;
    } else if (response.getCreated()) {
      // etcd answers the creation before it sends events, so the check precedes every change.
      return canFollow();
    } else if (response.getEventsCount() == 0) {
      // A progress notification: everything up to this revision has been delivered.
      memory.advance(response.getHeader().getRevision());
    } else {
      apply(fragments.complete(response));
    }
    return true;
  }

  private void apply(List<Event> events) {
    if (events.isEmpty()) {
      return;
    }
    List<VisibleChange<V>> changes = new ArrayList<>(events.size());
    for (Event event : events) {
      if (loader.isOurs(event.getKv().getKey())) {
        add(event, changes);
      }
    }
    memory.apply(changes, events.getLast().getKv().getModRevision());
    lastSeenRevision = LastSeenRevision.of(events.getLast());
  }

  private void add(Event event, List<VisibleChange<V>> changes) {
    String key = client.fromKey(event.getKv().getKey());
    long revision = event.getKv().getModRevision();
    if (event.getType() == Event.EventType.DELETE) {
      // A value that could never be read was never visible, so its deletion is not an event either.
      if (!unreadable.settled(key) || isKnown(key, changes)) {
        changes.add(new VisibleChange<>(key, revision, null));
      }
      return;
    }
    try {
      changes.add(new VisibleChange<>(key, revision, loader.decode(event.getKv())));
      unreadable.settled(key);
    } catch (StoreUnavailableException e) {
      unreadable.found(key, e.problem());
    }
  }

  private boolean isKnown(String key, List<VisibleChange<V>> changes) {
    return memory.held(key) != null
        || changes.stream().anyMatch(change -> change.key().equals(key));
  }

  /// False when the watch must be opened again because the memory was reset.
  private boolean canFollow() throws InterruptedException {
    long seen = memory.revision();
    long newest = client.newestRevision();
    Trace trace = newest < seen ? Trace.MISSING : lastSeenRevision.trace(client, seen);
    switch (HistoryCheck.of(seen, newest, trace)) {
      case HistoryCheck.Follow() -> recovered();
      case HistoryCheck.Reload() -> {
        reload("etcd was replaced or has forgotten what this server saw last");
        return false;
      }
      case HistoryCheck.Refuse(String why) -> throw different(why);
    }
    return true;
  }

  /// The history between the memory and etcd is unknown: the memory takes over etcd's state, and
  /// every watch has to list again.
  private void reload(String why) throws InterruptedException {
    long seen = memory.revision();
    log.warn("reading all keys again, watches must list again seen={} reason=\"{}\"", seen, why);
    unreadable.forget();
    EtcdLoader.Loaded<V> loaded = loader.load(this::lastKnown);
    long newest = loaded.contents().revision();
    // Clients could not notice that the state at a revision they know has changed.
    if (newest <= seen) {
      throw different("it is at revision %d, this server has seen %d".formatted(newest, seen));
    }
    memory.reset(loaded.contents());
    lastSeenRevision = loaded.newest();
  }

  private @Nullable HeldEntry<V> lastKnown(String key, StoreUnavailableException e) {
    unreadable.found(key, e.problem());
    return memory.held(key);
  }

  private StoreUnavailableException different(String why) {
    return new StoreUnavailableException(
        new StoreHealth.Degraded(
            "etcd at %s is not the one this server was started with"
                .formatted(client.config().servers()),
            why,
            "If it was restored on purpose, restart this server"),
        null);
  }

  private void degrade(StoreUnavailableException e) {
    StoreUnavailableException before = failure;
    failure = e;
    if (before == null || !before.what().equals(e.what())) {
      log.error("writes refused, reads continue reason=\"{}\"", e.problem());
    }
  }

  private void recovered() {
    failure = null;
    firstContact.countDown();
    log.info("following etcd servers={} revision={}", client.config().servers(), memory.revision());
  }

  private String unreachable() {
    return "etcd at %s cannot be reached".formatted(client.config().servers());
  }

  void close() {
    thread.interrupt();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
