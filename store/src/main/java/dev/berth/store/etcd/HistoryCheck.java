package dev.berth.store.etcd;

import dev.berth.store.etcd.LastSeenRevision.Trace;

/// What to do after reconnecting to etcd. etcd may have been wiped or restored meanwhile; then its
/// history differs from the one that this server has served to its clients.
sealed interface HistoryCheck {
  /// etcd has the history that this server has followed so far.
  record Follow() implements HistoryCheck {}

  /// etcd has another history, or the server cannot prove that it is the same: the server must read
  /// all keys again.
  record Reload() implements HistoryCheck {}

  /// etcd has another history, and its revision is not above the one that clients know: clients
  /// could not notice that the state changed.
  record Refuse(String why) implements HistoryCheck {}

  /// Decides by comparing the revisions of both sides.
  ///
  /// @param seen the newest revision that this server has read
  /// @param newest the newest revision of etcd
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
