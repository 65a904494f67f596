package dev.berth.store.embedded;

import dev.berth.store.DataDirLock;
import dev.berth.store.StoreHealth;
import dev.berth.store.StoreLimits;
import dev.berth.store.StoreUnavailableException;
import dev.berth.store.StoreWrite;
import dev.berth.store.StoredDecoder;
import dev.berth.store.WriteOutcome;
import dev.berth.store.memory.HeldEntry;
import dev.berth.store.memory.JournalContents;
import dev.berth.store.memory.MemoryReads;
import dev.berth.store.memory.MemoryStore;
import dev.berth.store.memory.PreparedWrite;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// A store for one process: durable in a SQLite file, or in memory only.
public final class EmbeddedStore<V> extends MemoryReads<V> {
  static final String FILE = "objects.db";

  /// How long a group may take before the store reports itself as degraded; requests still wait.
  private static final Duration SLOW = Duration.ofSeconds(5);

  private final MemoryStore<V> memory;
  private final StoredDecoder<V> decoder;
  private final StoreLimits limits;
  private final WriteCommitter<V> committer;
  private final @Nullable DataDirLock lock;

  private EmbeddedStore(
      MemoryStore<V> memory,
      StoredDecoder<V> decoder,
      StoreLimits limits,
      RowJournal journal,
      @Nullable DataDirLock lock) {
    this.memory = memory;
    this.decoder = decoder;
    this.limits = limits;
    this.committer = new WriteCommitter<>(memory, journal);
    this.lock = lock;
  }

  /// Opens the store of a directory. The directory is created when missing, and locked by this
  /// process until the store is closed.
  ///
  /// @throws StoreUnavailableException when the file is damaged or cannot be used; it is then left
  ///   as it is
  /// @throws dev.berth.store.DataDirLockedException when another process has it open
  public static <V> EmbeddedStore<V> open(
      Path directory, StoredDecoder<V> decoder, StoreLimits limits, InstantSource clock) {
    // The lock comes first: a second server must not even unpack a library into a directory in use.
    DataDirLock lock = DataDirLock.acquire(directory);
    try {
      Path file = directory.resolve(FILE);
      NativeLibrary.prepare(directory);
      // The loader checks the write-ahead log before a writing connection exists: SQLite recovers
      // the log when it opens it, and drops damaged frames without a message.
      JournalContents<V> loaded = SqliteLoader.load(file, decoder);
      SqliteJournal journal = SqliteJournal.open(file, loaded.revision(), clock, limits.history());
      // The journal may start above the loaded revision, after a restored backup.
      MemoryStore<V> memory =
          new MemoryStore<>(
              limits, clock, new JournalContents<>(journal.start(), loaded.entries()));
      return new EmbeddedStore<>(memory, decoder, limits, journal, lock);
    } catch (RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  /// A store in memory, lost when the process ends.
  public static <V> EmbeddedStore<V> inMemory(
      StoredDecoder<V> decoder, StoreLimits limits, InstantSource clock) {
    return withJournal(new NoJournal(1), decoder, limits, clock);
  }

  static <V> EmbeddedStore<V> withJournal(
      RowJournal journal, StoredDecoder<V> decoder, StoreLimits limits, InstantSource clock) {
    MemoryStore<V> memory = new MemoryStore<>(limits, clock, new JournalContents<>(1, List.of()));
    return new EmbeddedStore<>(memory, decoder, limits, journal, null);
  }

  @Override
  public WriteOutcome<V> commit(StoreWrite write) throws InterruptedException {
    PreparedWrite<V> part = PreparedWrite.of(write, decoder, limits);
    HeldEntry<V> current = memory.held(write.key());
    if (!WriteBatch.accepts(write, current)) {
      // Everything visible is durable, so a conflict with it is answered without the journal.
      return new WriteOutcome.Refused<>(current == null ? null : current.entry());
    }
    memory.checkRoom(part);
    return await(new WriteRequest<>(List.of(part), new CompletableFuture<>())).getFirst();
  }

  @Override
  public List<WriteOutcome<V>> commitAll(List<StoreWrite> writes) throws InterruptedException {
    List<PreparedWrite<V>> parts = PreparedWrite.all(writes, decoder, limits);
    parts.forEach(memory::checkRoom);
    return parts.isEmpty()
        ? List.of()
        : await(new WriteRequest<>(parts, new CompletableFuture<>()));
  }

  private List<WriteOutcome<V>> await(WriteRequest<V> request) throws InterruptedException {
    // A disk that hangs must not collect requests: their callers would wait for the full timeout,
    // and their objects would fill the heap.
    if (committer.busyFor().compareTo(limits.writeTimeout()) > 0) {
      throw new StoreUnavailableException(stuck(committer.busyFor()), null);
    }
    committer.submit(request);
    try {
      return request.outcomes().get(limits.writeTimeout().toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new StoreUnavailableException(stuck(limits.writeTimeout()), e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof StoreUnavailableException unavailable) {
        // Each caller gets an exception of its own: all requests of a group share the cause.
        throw new StoreUnavailableException(unavailable.problem(), unavailable);
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  @Override
  public StoreHealth health() {
    Duration busy = committer.busyFor();
    return busy.compareTo(SLOW) > 0 ? stuck(busy) : committer.health();
  }

  private static StoreHealth.Degraded stuck(Duration busy) {
    return new StoreHealth.Degraded(
        "a write has not reached the disk yet and may still be stored",
        "the disk has not answered for %d s".formatted(busy.toSeconds()),
        "Look for I/O errors or an overloaded disk (dmesg, iostat)");
  }

  @Override
  protected MemoryStore<V> memory() {
    return memory;
  }

  @Override
  public void close() {
    // Watches end first, then the committer finishes its queue. The lock goes last: until then
    // another process must not open the file.
    memory.close();
    committer.close();
    if (lock != null) {
      lock.close();
    }
  }
}
