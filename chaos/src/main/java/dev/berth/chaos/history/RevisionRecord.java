package dev.berth.chaos.history;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The change of each revision, as acknowledgments and watches report it. All reports must agree.
/// Any thread may call it.
public final class RevisionRecord {
  /// The change that a revision made to a key.
  ///
  /// @param witness the client that reported it first
  public record Change(String key, String value, String witness) {
    boolean isSameAs(Change other) {
      return key.equals(other.key) && value.equals(other.value);
    }

    @Override
    public String toString() {
      return "%s is %s, seen by %s".formatted(key, value, witness);
    }
  }

  private final Map<Long, Change> changes = new ConcurrentHashMap<>();
  private final RunLog log;

  public RevisionRecord(RunLog log) {
    this.log = log;
  }

  public void claim(long revision, String key, String value, String witness) {
    Change change = new Change(key, value, witness);
    Change first = changes.putIfAbsent(revision, change);
    if (first != null && !first.isSameAs(change)) {
      log.violation(
          "watches", "revision %d is two changes: %s; %s".formatted(revision, first, change));
    }
  }

  Map<Long, Change> all() {
    return Map.copyOf(changes);
  }
}
