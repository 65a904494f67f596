package dev.berth.store;

import java.time.Duration;
import java.util.List;

/// One reader's position in the history of a bucket; used by one thread at a time.
public interface StoreWatch<V> extends AutoCloseable {
  /// The next events in the order of their revisions, without gaps or repeats; empty when none
  /// arrived in time.
  ///
  /// @throws RevisionCompactedException when the reader was so slow that the history no longer
  ///   contains its position
  /// @throws StoreUnavailableException when the store was closed
  List<StoreEvent<V>> next(Duration timeout) throws InterruptedException;

  /// The revision up to which everything was returned by `next`; grows with the whole store, also
  /// when this bucket is quiet.
  ///
  /// A watch that resumes from this revision neither misses nor repeats an event.
  long progress();

  @Override
  void close();
}
