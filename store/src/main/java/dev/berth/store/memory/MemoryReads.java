package dev.berth.store.memory;

import dev.berth.store.Store;
import dev.berth.store.StoreEntry;
import dev.berth.store.StoreSnapshot;
import dev.berth.store.StoreWatch;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The read operations of a store, which are the same for every journal.
public abstract class MemoryReads<V> implements Store<V> {
  protected abstract MemoryStore<V> memory();

  @Override
  public final long revision() {
    return memory().revision();
  }

  @Override
  public final @Nullable StoreEntry<V> get(String key) {
    return memory().get(key);
  }

  @Override
  public final StoreSnapshot<V> snapshot(String bucket) {
    return memory().snapshot(bucket);
  }

  @Override
  public final StoreSnapshot<V> snapshotAt(String bucket, long revision) {
    return memory().snapshotAt(bucket, revision);
  }

  @Override
  public final boolean awaitRevision(long revision, Duration timeout) throws InterruptedException {
    return memory().awaitRevision(revision, timeout);
  }

  @Override
  public final StoreWatch<V> watch(String bucket, long afterRevision) {
    return memory().watch(bucket, afterRevision);
  }

  @Override
  public final void compact(long revision) {
    memory().compact(revision);
  }
}
