package dev.berth.store.embedded;

import dev.berth.store.StoreHealth;
import dev.berth.store.StoreUnavailableException;
import dev.berth.store.memory.HeldEntry;
import dev.berth.store.memory.MemoryStore;
import dev.berth.store.memory.PreparedWrite;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The one thread that writes: decide > append to the journal > apply to memory > complete.
///
/// The requests that queue up while one group is written form the next group: groups grow with the
/// load, and no request waits for a timer.
final class WriteCommitter<V> {
  private static final Logger log = LoggerFactory.getLogger(WriteCommitter.class);

  /// Bounds of a group: they limit the memory and the time of one transaction, and the number of
  /// requests that one failure of the journal affects.
  private static final int GROUP_REQUESTS = 1024;

  private static final long GROUP_BYTES = 8L << 20;

  /// Requests per group while the disk is nearly full.
  private static final int SMALL_GROUP = 16;

  /// Bytes by which an object may grow while the disk is nearly full: room for the mark of a
  /// deletion.
  private static final int LITTLE_GROWTH = 1024;

  /// Free bytes required before new objects are accepted again.
  private static final long ENOUGH_ROOM = 1L << 20;

  private static final Duration PROBE_INTERVAL = Duration.ofMillis(500);
  private static final Duration TIDY_WHEN_IDLE = Duration.ofSeconds(1);
  private static final Duration TIDY_UNDER_LOAD = Duration.ofSeconds(30);

  private final MemoryStore<V> memory;
  private final RowJournal journal;
  private final BlockingQueue<WriteRequest<V>> queue = new LinkedBlockingQueue<>();
  private final Thread thread;

  /// Why writes are refused at present; only the committer sets it.
  private volatile @Nullable StoreUnavailableException failure;

  /// Why no object may grow at present; deletions are accepted.
  private volatile StoreHealth.@Nullable Degraded shortage;

  private volatile boolean stopped;

  /// `System.nanoTime` at the start of the current group; zero between groups.
  private volatile long busySince;

  // Confined to the committer's thread.
  /// The group whose outcome is unknown. `probe` learns it from the journal's revision.
  private @Nullable WriteBatch<V> doubtful;

  private boolean untidy;
  private long lastTidy = System.nanoTime();

  WriteCommitter(MemoryStore<V> memory, RowJournal journal) {
    this.memory = memory;
    this.journal = journal;
    // A platform thread: native calls of SQLite would pin the carrier of a virtual thread while
    // they wait for the disk.
    this.thread = Thread.ofPlatform().name("store-committer").daemon().unstarted(this::run);
    thread.start();
  }

  /// Queues a request for the committer; throws at once while the journal is known to fail.
  void submit(WriteRequest<V> request) {
    StoreUnavailableException known = failure;
    if (known != null) {
      throw new StoreUnavailableException(known.problem(), known);
    }
    // The committer sets `stopped` before it drains the queue. So a late request is either drained
    // there or removed here, and exactly one side answers it.
    queue.add(request);
    if (stopped && queue.remove(request)) {
      throw StoreUnavailableException.closed();
    }
  }

  StoreHealth health() {
    StoreUnavailableException known = failure;
    StoreHealth.Degraded lack = known == null ? shortage : known.problem();
    return lack == null ? new StoreHealth.Ok() : lack;
  }

  /// How long the journal has been writing the current group.
  Duration busyFor() {
    long since = busySince;
    return since == 0 ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - since);
  }

  private void run() {
    try {
      boolean go = true;
      while (go) {
        go = step();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable e) {
      // Memory and journal may differ now; only a restart, which reads the journal, makes them
      // equal.
      degrade(broken(e));
    } finally {
      stopped = true;
      List<WriteRequest<V>> late = new ArrayList<>();
      queue.drainTo(late);
      late.forEach(
          request -> request.outcomes().completeExceptionally(StoreUnavailableException.closed()));
      journal.close();
    }
  }

  private boolean step() throws InterruptedException {
    Duration patience =
        failure != null || shortage != null
            ? PROBE_INTERVAL
            : untidy ? TIDY_WHEN_IDLE : TIDY_UNDER_LOAD;
    WriteRequest<V> first = queue.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
    if (first != null && first.isStop()) {
      return false;
    }
    if (failure != null) {
      probe();
    }
    if (shortage != null) {
      lookForRoom();
    }
    if (first != null) {
      commit(group(first));
    }
    tidy(first == null);
    return true;
  }

  private List<WriteRequest<V>> group(WriteRequest<V> first) {
    List<WriteRequest<V>> group = new ArrayList<>();
    group.add(first);
    long bytes = first.bytes();
    while (group.size() < GROUP_REQUESTS && bytes < GROUP_BYTES) {
      WriteRequest<V> next = queue.peek();
      if (next == null || next.isStop()) {
        break;
      }
      group.add(queue.remove());
      bytes += next.bytes();
    }
    return group;
  }

  private void commit(List<WriteRequest<V>> group) {
    StoreUnavailableException known = failure;
    if (known != null) {
      group.forEach(request -> request.outcomes().completeExceptionally(known));
      return;
    }
    try {
      if (shortage == null) {
        journal.checkRoom(group.stream().mapToLong(this::growth).sum());
        write(group);
        return;
      }
    } catch (JournalFullException e) {
      // The journal stored nothing of the group.
      runShort(e);
    }
    commitSmall(group);
  }

  /// Requests that do not grow the file are written in small groups; the others are refused.
  private void commitSmall(List<WriteRequest<V>> group) {
    List<WriteRequest<V>> small = new ArrayList<>();
    for (WriteRequest<V> request : group) {
      if (growth(request) == 0) {
        small.add(request);
      } else {
        request.outcomes().completeExceptionally(noRoom());
      }
    }
    for (int from = 0; from < small.size(); from += SMALL_GROUP) {
      List<WriteRequest<V>> some = small.subList(from, Math.min(small.size(), from + SMALL_GROUP));
      try {
        write(some);
      } catch (JournalFullException e) {
        runShort(e);
        some.forEach(request -> request.outcomes().completeExceptionally(noRoom()));
      }
    }
  }

  private StoreUnavailableException noRoom() {
    return new StoreUnavailableException(Objects.requireNonNull(shortage), null);
  }

  /// The approximate growth of the file by a request, in bytes.
  private long growth(WriteRequest<V> request) {
    long growth = 0;
    for (PreparedWrite<V> part : request.parts()) {
      byte[] bytes = part.bytes();
      HeldEntry<V> held = memory.held(part.key());
      if (bytes != null && (held == null || bytes.length > held.bytes() + LITTLE_GROWTH)) {
        growth += bytes.length;
      }
    }
    return growth;
  }

  private void runShort(JournalFullException e) {
    if (shortage == null) {
      log.error("new objects refused, reads and deletions continue reason=\"{}\"", e.problem());
    }
    shortage = e.problem();
  }

  private void lookForRoom() {
    try {
      journal.checkRoom(ENOUGH_ROOM);
      shortage = null;
      log.info("new objects accepted again");
    } catch (JournalFullException e) {
      shortage = e.problem();
    }
  }

  /// @throws JournalFullException when the disk is full and nothing of the group was stored; its
  ///   requests are not completed then
  private void write(List<WriteRequest<V>> group) {
    if (group.isEmpty()) {
      return;
    }
    WriteBatch<V> batch = new WriteBatch<>(memory::held, memory.revision());
    group.forEach(batch::decide);
    busySince = System.nanoTime();
    try {
      if (!batch.rows().isEmpty()) {
        journal.append(batch.rows(), batch.revision());
        apply(batch);
      }
      batch.complete();
    } catch (JournalFullException e) {
      throw e;
    } catch (StoreUnavailableException e) {
      doubtful = batch;
      degrade(e);
      batch.fail(e);
    } catch (RuntimeException | Error e) {
      batch.fail(broken(e));
      throw e;
    } finally {
      busySince = 0;
    }
  }

  private void apply(WriteBatch<V> batch) {
    memory.apply(batch.changes(), batch.revision());
    untidy = true;
  }

  private void degrade(StoreUnavailableException e) {
    if (failure == null) {
      log.error("writes refused, reads continue reason=\"{}\"", e.problem());
      log.debug("writes refused because of", e);
    }
    failure = e;
  }

  /// Asks the journal for its revision. The failed group is stored completely or not at all.
  private void probe() {
    try {
      long stored = journal.recover();
      WriteBatch<V> batch = doubtful;
      if (batch != null && stored == batch.revision()) {
        apply(batch);
      }
      if (stored != memory.revision()) {
        throw strange(stored);
      }
      doubtful = null;
      failure = null;
      log.info("writes accepted again revision={}", stored);
    } catch (StoreUnavailableException e) {
      failure = e;
    }
  }

  private StoreUnavailableException strange(long stored) {
    return new StoreUnavailableException(
        new StoreHealth.Degraded(
            "the journal is not the one this server wrote",
            "it is at revision %d, this server at %d".formatted(stored, memory.revision()),
            "Stop other programs that write to the data directory, then restart this server"),
        null);
  }

  private void tidy(boolean idle) {
    boolean due = System.nanoTime() - lastTidy > TIDY_UNDER_LOAD.toNanos();
    if (failure != null || (!due && !(idle && untidy))) {
      return;
    }
    try {
      memory.dropOldHistory();
      boolean more = journal.tidy();
      while (more && idle && queue.isEmpty()) {
        more = journal.tidy();
      }
      untidy = more;
    } catch (JournalFullException e) {
      runShort(e);
    } catch (StoreUnavailableException e) {
      degrade(e);
    }
    lastTidy = System.nanoTime();
  }

  /// Finishes what is queued, then closes the journal.
  void close() {
    queue.add(WriteRequest.stop());
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static StoreUnavailableException broken(Throwable cause) {
    return new StoreUnavailableException(
        new StoreHealth.Degraded(
            "the store accepts no more writes",
            "its committer ended with " + cause,
            "Restart this server; acknowledged writes are in the journal"),
        cause);
  }
}
