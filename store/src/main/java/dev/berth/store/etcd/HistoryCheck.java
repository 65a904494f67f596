package dev.berth.store.etcd;

import dev.berth.store.etcd.LastSeenRevision.Trace;

/// What to do with an etcd that this server comes back to: it may have been wiped or restored in
/// the meantime, and then its history is another one than this server has told its clients.
sealed interface HistoryCheck {
  /// It is the history that this server has followed so far.
  record Follow() implements HistoryCheck {}

  /// It is another one, or cannot be told apart from another one: its state must be read again.
  record Reload() implements HistoryCheck {}

  /// It is another one and has not come past what clients were told, so that they could not notice
  /// a change of the state.
  record Refuse(String why) implements HistoryCheck {}

  /// Decides, given where both have come to.
  ///
  /// @param seen the revision that this server has come to
  /// @param newest the revision that etcd has come to
  static HistoryCheck of(long seen, long newest, Trace trace) {
    if (newest < seen) {
      return new Refuse("it is at revision %d, this server has seen %d".formatted(newest, seen));
    }
    return switch (trace) {
      case FOUND -> new Follow();
      case MISSING ->
          newest > seen
              ? new Reload()
              : new Refuse("at revision %d it has other keys than this server saw".formatted(seen));
      case FORGOTTEN -> newest > seen ? new Reload() : new Follow();
    };
  }
}
