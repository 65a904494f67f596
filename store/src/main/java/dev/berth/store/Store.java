package dev.berth.store;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Objects by key. Every change gets the next number of one global, strictly increasing revision.
///
/// A key is `bucket/rest`; the bucket is the part before the first slash. Reads never block and
/// never touch the journal.
public interface Store<V> extends AutoCloseable {
  /// The newest visible revision; at least 1.
  long revision();

  @Nullable StoreEntry<V> get(String key);

  /// The newest state of a bucket, in constant time; empty for a bucket that has never been
  /// written.
  StoreSnapshot<V> snapshot(String bucket);

  /// The state of a bucket at an exact revision.
  ///
  /// @throws RevisionCompactedException when the history no longer reaches back to it
  /// @throws RevisionAheadException when it is not visible yet (see [#awaitRevision])
  StoreSnapshot<V> snapshotAt(String bucket, long revision);

  /// Waits until the revision is visible; returns false when the time runs out first.
  boolean awaitRevision(long revision, Duration timeout) throws InterruptedException;

  /// Returns once the write is durable and visible, or refused.
  ///
  /// An interrupted caller does not know the outcome: the write may still be stored.
  ///
  /// @throws StoreUnavailableException when it could not be made durable, or when there is no room
  ///   for it
  /// @throws ValueTooLargeException when the value is over the limit
  WriteOutcome<V> commit(StoreWrite write) throws InterruptedException;

  /// Makes all writes in one transaction or none; each key at most once.
  ///
  /// When one is refused nothing is written and every outcome is `Refused` with the key's current
  /// entry. The embedded store gives each write its own revision, etcd gives all of them the same
  /// one.
  List<WriteOutcome<V>> commitAll(List<StoreWrite> writes) throws InterruptedException;

  /// All changes of a bucket after a revision. A watch from a future revision stays quiet until the
  /// store reaches it.
  ///
  /// @throws RevisionCompactedException when the history no longer reaches back to it
  StoreWatch<V> watch(String bucket, long afterRevision);

  /// Drops the history before a revision, in all buckets.
  void compact(long revision);

  StoreHealth health();

  /// Whether other processes write to the same data: then [#catchUp] may take a round trip.
  default boolean isShared() {
    return false;
  }

  /// Returns when every write that any server acknowledged before the call is visible here; returns
  /// at once where no other process can write.
  ///
  /// @throws StoreUnavailableException when the store cannot determine that now
  default void catchUp() throws InterruptedException {}

  /// Ends all watches and refuses further writes; acknowledged writes stay durable.
  @Override
  void close();
}
