package dev.berth.chaos.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// The lists and events that one watcher saw. After a new list it need not have seen the events
/// before it.
///
/// Confined to the watcher's thread until that thread has ended.
public final class WatchHistory {
  /// The revisions from a list to the last event before the next list. Within them no revision may
  /// be missing.
  private static final class Span {
    private final long from;
    private long to;

    Span(long from) {
      this.from = from;
      this.to = from;
    }

    boolean covers(long revision) {
      return revision > from && revision <= to;
    }
  }

  private final String name;
  private final RevisionRecord revisions;
  private final RunLog log;
  private final List<Span> spans = new ArrayList<>();
  private final Set<Long> seen = new HashSet<>();
  private final Map<String, String> state = new HashMap<>();
  private volatile long last;

  public WatchHistory(String name, RevisionRecord revisions, RunLog log) {
    this.name = name;
    this.revisions = revisions;
    this.log = log;
  }

  public void listed(long revision, Map<String, String> values) {
    if (revision < last) {
      log.violation(
          "watches", "%s: a list is of revision %d, after %d".formatted(name, revision, last));
    }
    spans.add(new Span(revision));
    state.clear();
    state.putAll(values);
    last = revision;
  }

  /// Records an event of the watch.
  ///
  /// @param value the value of the object; not used for a deletion
  public void event(String type, long revision, String key, String value) {
    if (revision <= last) {
      log.violation(
          "watches",
          "%s: %s %s of revision %d came after %d".formatted(name, type, key, revision, last));
      return;
    }
    boolean deleted = type.equals("DELETED");
    revisions.claim(revision, key, deleted ? KeyStates.ABSENT : value, name);
    // ADDED needs an absent key, MODIFIED and DELETED a present one.
    if (type.equals("ADDED") == state.containsKey(key)) {
      log.violation(
          "watches",
          "%s: %s %s of revision %d, but it was %s"
              .formatted(name, type, key, revision, state.getOrDefault(key, KeyStates.ABSENT)));
    }
    if (deleted) {
      state.remove(key);
    } else {
      state.put(key, value);
    }
    seen.add(revision);
    spans.getLast().to = revision;
    last = revision;
  }

  /// The revision up to which the watcher has seen everything.
  public long last() {
    return last;
  }

  public int events() {
    return seen.size();
  }

  /// The revisions that others report and this watcher should have seen.
  public List<String> skipped() {
    List<String> wrong = new ArrayList<>();
    revisions
        .all()
        .forEach(
            (revision, change) -> {
              if (!seen.contains(revision)
                  && spans.stream().anyMatch(span -> span.covers(revision))) {
                wrong.add("%s skipped revision %d (%s)".formatted(name, revision, change));
              }
            });
    return wrong;
  }

  /// The differences between the state that the events built and a list of the same revision.
  public List<String> differences(Map<String, String> listed) {
    List<String> wrong = new ArrayList<>();
    Map<String, String> all = new TreeMap<>(state);
    all.putAll(listed);
    for (String key : all.keySet()) {
      String here = state.getOrDefault(key, KeyStates.ABSENT);
      String there = listed.getOrDefault(key, KeyStates.ABSENT);
      if (!here.equals(there)) {
        wrong.add("%s has %s as %s, a list as %s".formatted(name, key, here, there));
      }
    }
    return wrong;
  }
}
