package dev.berth.client.events;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/// Aggregates events that differ in their messages only, such as by an id that is new in every
/// attempt: the first nine within ten minutes are separate events, the others become one. The
/// caller holds a lock.
final class SimilarEvents {
  private static final int ONE_BY_ONE = 9;
  private static final Duration INTERVAL = Duration.ofMinutes(10);
  private static final int REMEMBERED = 1_000;

  private record Group(
      EventSource source, InvolvedObject involved, boolean isWarning, String reason) {}

  private record Reported(Set<String> messages, Instant last) {}

  /// Bounded: the oldest entries are dropped.
  private final Map<Group, Reported> groups =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Group, Reported> eldest) {
          return size() > REMEMBERED;
        }
      };

  /// Whether the event must be combined with similar ones.
  ///
  /// A message that is known is no new difference; its event is counted.
  boolean isOneOfMany(EventOccurrence occurrence) {
    Group group =
        new Group(
            occurrence.source(),
            occurrence.involved(),
            occurrence.isWarning(),
            occurrence.reason());
    Instant now = occurrence.time();
    // Removing and adding again moves the group to the end of the order, so the oldest entry is the
    // one that was not used longest.
    Reported before = groups.remove(group);
    Set<String> messages =
        before == null || before.last().plus(INTERVAL).isBefore(now)
            ? new HashSet<>()
            : before.messages();
    boolean isKnown = messages.contains(occurrence.message());
    boolean isOneOfMany = !isKnown && messages.size() >= ONE_BY_ONE;
    if (!isKnown && !isOneOfMany) {
      messages.add(occurrence.message());
    }
    groups.put(group, new Reported(messages, now));
    return isOneOfMany;
  }
}
