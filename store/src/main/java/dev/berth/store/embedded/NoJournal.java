package dev.berth.store.embedded;

import java.util.List;

/// Keeps nothing, for stores that live as long as their process.
final class NoJournal implements RowJournal {
  private long revision;

  NoJournal(long revision) {
    this.revision = revision;
  }

  @Override
  public void append(List<JournalRow> rows, long revision) {
    this.revision = revision;
  }

  @Override
  public long recover() {
    return revision;
  }

  @Override
  public boolean tidy() {
    return false;
  }

  @Override
  public void close() {}
}
