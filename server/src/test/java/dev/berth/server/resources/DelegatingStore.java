package dev.berth.server.resources;

import dev.berth.server.resources.objects.StoredObject;
import dev.berth.store.Store;
import dev.berth.store.StoreEntry;
import dev.berth.store.StoreHealth;
import dev.berth.store.StoreSnapshot;
import dev.berth.store.StoreWatch;
import dev.berth.store.StoreWrite;
import dev.berth.store.WriteOutcome;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A store that does what another one does, for tests that bend one of its methods.
public class DelegatingStore implements Store<StoredObject> {
  private final Store<StoredObject> real;

  public DelegatingStore(Store<StoredObject> real) {
    this.real = real;
  }

  @Override
  public long revision() {
    return real.revision();
  }

  @Override
  public @Nullable StoreEntry<StoredObject> get(String key) {
    return real.get(key);
  }

  @Override
  public StoreSnapshot<StoredObject> snapshot(String bucket) {
    return real.snapshot(bucket);
  }

  @Override
  public StoreSnapshot<StoredObject> snapshotAt(String bucket, long revision) {
    return real.snapshotAt(bucket, revision);
  }

  @Override
  public boolean awaitRevision(long revision, Duration timeout) throws InterruptedException {
    return real.awaitRevision(revision, timeout);
  }

  @Override
  public WriteOutcome<StoredObject> commit(StoreWrite write) throws InterruptedException {
    return real.commit(write);
  }

  @Override
  public List<WriteOutcome<StoredObject>> commitAll(List<StoreWrite> writes)
      throws InterruptedException {
    return real.commitAll(writes);
  }

  @Override
  public StoreWatch<StoredObject> watch(String bucket, long afterRevision) {
    return real.watch(bucket, afterRevision);
  }

  @Override
  public void compact(long revision) {
    real.compact(revision);
  }

  @Override
  public StoreHealth health() {
    return real.health();
  }

  @Override
  public boolean isShared() {
    return real.isShared();
  }

  @Override
  public void catchUp() throws InterruptedException {
    real.catchUp();
  }

  @Override
  public void close() {
    real.close();
  }
}
