package dev.berth.store;

import java.time.Duration;
import java.util.List;

/// One reader's place in the history of a bucket; used by one thread at a time.
public interface StoreWatch<V> extends AutoCloseable {
  /// The next events in the order of their revisions, without gaps or repeats; empty when none came
  /// in time.
  ///
  /// @throws RevisionCompactedException when the reader was so slow that its place is no longer in
  ///   the history
  /// @throws StoreUnavailableException when the store was closed
  List<StoreEvent<V>> next(Duration timeout) throws InterruptedException;

  /// The revision up to which everything was returned by `next`; grows with the whole store, also
  /// when this bucket is quiet.
  ///
  /// A watch that goes on from here neither misses nor repeats anything.
  long progress();

  @Override
  void close();
}
