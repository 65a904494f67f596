package dev.berth.store.embedded;

import dev.berth.store.StoreUnavailableException;
import java.util.List;

/// Makes rows durable; used by one thread only.
interface RowJournal extends AutoCloseable {
  /// Makes sure that the file system has space for so many bytes of new values, and for what was
  /// stored and is not in its place yet.
  ///
  /// @throws JournalFullException when it has not
  default void checkRoom(long bytes) {}

  /// Stores all rows and the revision, or nothing.
  ///
  /// @throws JournalFullException when there is no space; nothing is stored then
  /// @throws StoreUnavailableException when that failed; whether the rows are stored is then
  ///   unknown until `recover`
  void append(List<JournalRow> rows, long revision);

  /// Makes sure, after a failure, that the journal takes writes again, and returns the revision it
  /// has.
  long recover();

  /// Does a small piece of housekeeping; true when there is more to do.
  boolean tidy();

  @Override
  void close();
}
