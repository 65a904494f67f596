package dev.berth.store.memory;

import dev.berth.store.RevisionAheadException;
import dev.berth.store.RevisionCompactedException;
import dev.berth.store.StoreEntry;
import dev.berth.store.StoreEvent;
import dev.berth.store.StoreHealth;
import dev.berth.store.StoreLimits;
import dev.berth.store.StoreSnapshot;
import dev.berth.store.StoreUnavailableException;
import dev.berth.store.StoreWatch;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.pcollections.TreePMap;

/// All live entries and their recent history.
///
/// One thread at a time calls `apply`, `advance` and `reset`; any thread may call the rest. Events
/// enter the logs before the image that contains them is published, and readers take from the logs
/// only what their image contains: so a revision becomes visible in all buckets at once.
public final class MemoryStore<V> {
  private final StoreLimits limits;
  private final InstantSource clock;
  private final HistoryBudget budget;
  private final ConcurrentHashMap<String, EventLog<V>> logs = new ConcurrentHashMap<>();

  /// Guards the creation of logs against a concurrent change of `base`.
  private final ReentrantLock creation = new ReentrantLock();

  /// The revision from which a log that is created later has complete history.
  private long base;

  /// Replaced as a whole by the one writing thread; readers take it once per operation, so that all
  /// they read is of one revision.
  private volatile StoreImage<V> image;

  /// Opens when the next image is published.
  private volatile CountDownLatch advanced = new CountDownLatch(1);

  private volatile boolean closed;

  public MemoryStore(StoreLimits limits, InstantSource clock, JournalContents<V> contents) {
    this.limits = limits;
    this.clock = clock;
    this.budget = new HistoryBudget(limits.maxHistoryBytes());
    this.base = contents.revision();
    this.image = StoreImage.of(contents);
  }

  /// Makes durable changes visible, all at once, and wakes the watches of their buckets.
  public List<StoreEvent<V>> apply(List<VisibleChange<V>> changes, long revision) {
    long now = clock.millis();
    // The copy has one entry per bucket, and there is about one bucket per kind of object.
    Map<String, TreePMap<String, HeldEntry<V>>> buckets = new HashMap<>(image.buckets());
    long bytes = image.bytes();
    List<StoreEvent<V>> events = new ArrayList<>(changes.size());
    Set<EventLog<V>> touched = new LinkedHashSet<>();
    for (VisibleChange<V> change : changes) {
      String bucket = KeyParts.bucket(change.key());
      TreePMap<String, HeldEntry<V>> entries = buckets.getOrDefault(bucket, TreePMap.empty());
      HeldEntry<V> previous = entries.get(change.key());
      HeldEntry<V> held = change.held();
      bytes += weight(held) - weight(previous);
      buckets.put(
          bucket, held == null ? entries.minus(change.key()) : entries.plus(change.key(), held));
      StoreEvent<V> event =
          new StoreEvent<>(change.revision(), change.key(), entry(previous), entry(held));
      EventLog<V> log = log(bucket);
      log.append(event, previous == null ? 0 : previous.bytes(), now);
      touched.add(log);
      events.add(event);
    }
    publish(new StoreImage<>(revision, buckets, bytes));
    keepWithinBudget();
    touched.forEach(EventLog::signal);
    return events;
  }

  /// The largest history is cut first: a client that changes large objects must not shorten the
  /// history of other buckets.
  private void keepWithinBudget() {
    while (budget.isExceeded()) {
      Collections.max(logs.values(), Comparator.comparingLong(EventLog::bytes))
          .dropWhileOverBudget();
    }
  }

  /// Advances to a revision without changes below the prefix.
  public void advance(long revision) {
    if (revision > image.revision()) {
      publish(new StoreImage<>(revision, image.buckets(), image.bytes()));
    }
  }

  /// Replaces the state by one whose history is unknown; readers of older revisions must list
  /// again.
  public void reset(JournalContents<V> contents) {
    StoreImage<V> fresh = StoreImage.of(contents);
    creation.lock();
    try {
      base = fresh.revision();
      logs.values().forEach(log -> log.expire(fresh.revision()));
    } finally {
      creation.unlock();
    }
    publish(fresh);
    logs.values().forEach(EventLog::signal);
  }

  private void publish(StoreImage<V> next) {
    // The image changes before the latch: a waiter takes the latch first and then reads the image,
    // so that it sees the new revision or holds the latch that opens here.
    image = next;
    CountDownLatch waiting = advanced;
    advanced = new CountDownLatch(1);
    waiting.countDown();
  }

  public long revision() {
    return image.revision();
  }

  public @Nullable StoreEntry<V> get(String key) {
    return entry(image.get(key));
  }

  /// The entry with its size, for the committer's decisions.
  public @Nullable HeldEntry<V> held(String key) {
    return image.get(key);
  }

  /// Refuses writes that would let the live objects exceed their part of the heap. Updates have a
  /// higher limit than creations, because a deletion may begin with an update that marks the
  /// object.
  public void checkRoom(PreparedWrite<V> write) {
    byte[] bytes = write.bytes();
    long live = image.bytes();
    if (bytes == null || live + bytes.length <= limits.maxLiveBytes()) {
      return;
    }
    HeldEntry<V> current = image.get(write.key());
    if (current == null
        || (bytes.length > current.bytes()
            && live + bytes.length - current.bytes() > limits.maxLiveBytes() / 8 * 9)) {
      throw new StoreUnavailableException(full(live), null);
    }
  }

  private StoreHealth.Degraded full(long live) {
    return new StoreHealth.Degraded(
        "the store is full",
        "its objects use %d MiB of the %d MiB of this server's memory that are allowed"
            .formatted(live >> 20, limits.maxLiveBytes() >> 20),
        "Delete objects that are not needed, or run the server with more memory");
  }

  public StoreSnapshot<V> snapshot(String bucket) {
    StoreImage<V> now = image;
    return new MemorySnapshot<>(now.revision(), now.bucket(bucket));
  }

  /// Costs time in proportion to the changes since the revision.
  public StoreSnapshot<V> snapshotAt(String bucket, long revision) {
    StoreImage<V> now = image;
    if (revision > now.revision()) {
      throw new RevisionAheadException(revision, now.revision());
    }
    EventLog<V> log = log(bucket);
    log.checkStart(revision);
    // Old states are not stored: they are computed from the newest one by undoing the events since
    // then, where the oldest event of a key counts.
    Map<String, StoreEvent<V>> oldest = new HashMap<>();
    for (StoreEvent<V> event : log.read(revision, now.revision(), Integer.MAX_VALUE)) {
      oldest.putIfAbsent(event.key(), event);
    }
    TreePMap<String, HeldEntry<V>> entries = now.bucket(bucket);
    for (StoreEvent<V> event : oldest.values()) {
      StoreEntry<V> previous = event.previous();
      entries =
          previous == null
              ? entries.minus(event.key())
              : entries.plus(event.key(), new HeldEntry<>(previous, 0));
    }
    return new MemorySnapshot<>(revision, entries);
  }

  public boolean awaitRevision(long revision, Duration timeout) throws InterruptedException {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (true) {
      CountDownLatch next = advanced;
      if (image.revision() >= revision) {
        return true;
      }
      checkOpen();
      if (!next.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        return image.revision() >= revision;
      }
    }
  }

  public StoreWatch<V> watch(String bucket, long afterRevision) {
    checkOpen();
    EventLog<V> log = log(bucket);
    log.checkStart(afterRevision);
    return new MemoryWatch<>(this, log, afterRevision);
  }

  public void compact(long revision) {
    if (revision > image.revision()) {
      throw new RevisionAheadException(revision, image.revision());
    }
    creation.lock();
    try {
      base = Math.max(base, revision);
      logs.values().forEach(log -> log.compact(revision));
    } finally {
      creation.unlock();
    }
  }

  /// Drops expired history in buckets without new writes.
  public void dropOldHistory() {
    long now = clock.millis();
    logs.values().forEach(log -> log.dropOld(now));
  }

  public void close() {
    closed = true;
    advanced.countDown();
    logs.values().forEach(EventLog::signal);
  }

  /// The change of a key at a revision, if the history still has it.
  public @Nullable StoreEvent<V> eventAt(String key, long revision) {
    try {
      for (StoreEvent<V> event : log(KeyParts.bucket(key)).read(revision - 1, revision, 1)) {
        if (event.key().equals(key)) {
          return event;
        }
      }
    } catch (RevisionCompactedException _) {
      // The history no longer has it.
    }
    return null;
  }

  public void checkOpen() {
    if (closed) {
      throw StoreUnavailableException.closed();
    }
  }

  private EventLog<V> log(String bucket) {
    EventLog<V> log = logs.get(bucket);
    if (log != null) {
      return log;
    }
    creation.lock();
    try {
      return logs.computeIfAbsent(bucket, _ -> new EventLog<>(limits, budget, base));
    } finally {
      creation.unlock();
    }
  }

  private static <V> long weight(@Nullable HeldEntry<V> held) {
    return held == null ? 0 : held.weight();
  }

  private static <V> @Nullable StoreEntry<V> entry(@Nullable HeldEntry<V> held) {
    return held == null ? null : held.entry();
  }
}
