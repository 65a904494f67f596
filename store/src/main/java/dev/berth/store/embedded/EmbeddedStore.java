package dev.berth.store.embedded;

import dev.berth.store.DataFolderLock;
import dev.berth.store.Decoder;
import dev.berth.store.Health;
import dev.berth.store.Outcome;
import dev.berth.store.StoreLimits;
import dev.berth.store.StoreUnavailableException;
import dev.berth.store.Write;
import dev.berth.store.memory.Contents;
import dev.berth.store.memory.Held;
import dev.berth.store.memory.Memory;
import dev.berth.store.memory.MemoryReads;
import dev.berth.store.memory.Prepared;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// A store for one process, durable in a SQLite file or not at all.
public final class EmbeddedStore<V> extends MemoryReads<V> {
  static final String FILE = "objects.db";
  private static final Duration SLOW = Duration.ofSeconds(5);

  private final Memory<V> memory;
  private final Decoder<V> decoder;
  private final StoreLimits limits;
  private final Committer<V> committer;
  private final @Nullable DataFolderLock lock;

  private EmbeddedStore(
      Memory<V> memory,
      Decoder<V> decoder,
      StoreLimits limits,
      Journal journal,
      @Nullable DataFolderLock lock) {
    this.memory = memory;
    this.decoder = decoder;
    this.limits = limits;
    this.committer = new Committer<>(memory, journal);
    this.lock = lock;
  }

  /// Opens the store of a folder, which is made when missing and belongs to this process until the
  /// store is closed.
  ///
  /// @throws StoreUnavailableException when the file is damaged or cannot be used; it is then left
  ///   as it is
  /// @throws dev.berth.store.DataFolderLockedException when another process has it open
  public static <V> EmbeddedStore<V> open(
      Path folder, Decoder<V> decoder, StoreLimits limits, InstantSource clock) {
    DataFolderLock lock = DataFolderLock.acquire(folder);
    try {
      Path file = folder.resolve(FILE);
      NativeLibrary.prepare(folder);
      Contents<V> loaded = SqliteLoader.load(file, decoder);
      SqliteJournal journal = SqliteJournal.open(file, loaded.revision(), clock, limits.history());
      Memory<V> memory =
          new Memory<>(limits, clock, new Contents<>(journal.start(), loaded.entries()));
      return new EmbeddedStore<>(memory, decoder, limits, journal, lock);
    } catch (RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  /// A store that is gone with the process.
  public static <V> EmbeddedStore<V> inMemory(
      Decoder<V> decoder, StoreLimits limits, InstantSource clock) {
    return withJournal(new NoJournal(1), decoder, limits, clock);
  }

  static <V> EmbeddedStore<V> withJournal(
      Journal journal, Decoder<V> decoder, StoreLimits limits, InstantSource clock) {
    Memory<V> memory = new Memory<>(limits, clock, new Contents<>(1, List.of()));
    return new EmbeddedStore<>(memory, decoder, limits, journal, null);
  }

  @Override
  public Outcome<V> commit(Write write) throws InterruptedException {
    Prepared<V> part = Prepared.of(write, decoder, limits);
    Held<V> current = memory.held(write.key());
    if (!Batch.accepts(write, current)) {
      // What is visible is durable, so a conflict with it need not wait for the journal.
      return new Outcome.Refused<>(current == null ? null : current.entry());
    }
    memory.checkRoom(part);
    return await(new Request<>(List.of(part), new CompletableFuture<>())).getFirst();
  }

  @Override
  public List<Outcome<V>> commitAll(List<Write> writes) throws InterruptedException {
    List<Prepared<V>> parts = Prepared.all(writes, decoder, limits);
    parts.forEach(memory::checkRoom);
    return parts.isEmpty() ? List.of() : await(new Request<>(parts, new CompletableFuture<>()));
  }

  private List<Outcome<V>> await(Request<V> request) throws InterruptedException {
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
        throw new StoreUnavailableException(unavailable.problem(), unavailable);
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  @Override
  public Health health() {
    Duration busy = committer.busyFor();
    return busy.compareTo(SLOW) > 0 ? stuck(busy) : committer.health();
  }

  private static Health.Degraded stuck(Duration busy) {
    return new Health.Degraded(
        "a write has not reached the disk yet and may still be made",
        "the disk has not answered for %d s".formatted(busy.toSeconds()),
        "Look for I/O errors or an overloaded disk (dmesg, iostat)");
  }

  @Override
  protected Memory<V> memory() {
    return memory;
  }

  @Override
  public void close() {
    memory.close();
    committer.close();
    if (lock != null) {
      lock.close();
    }
  }
}
