package dev.berth.store.embedded;

import dev.berth.store.StoreUnavailableException;
import java.util.List;

/// Makes rows durable; used by one thread only.
interface RowJournal extends AutoCloseable {
  /// Ensures that the file system has space for the given bytes of new values and for the part of
  /// the log that is not checkpointed yet.
  ///
  /// @throws JournalFullException when the space is missing
  default void checkRoom(long bytes) {}

  /// Stores all rows and the revision, or nothing.
  ///
  /// @throws JournalFullException when there is no space; nothing is stored then
  /// @throws StoreUnavailableException when that failed; whether the rows are stored is then
  ///   unknown until `recover`
  void append(List<JournalRow> rows, long revision);

  /// Makes the journal accept writes again after a failure, and returns its revision.
  long recover();

  /// Does one small step of maintenance; returns true when more steps remain.
  boolean tidy();

  @Override
  void close();
}
