package dev.berth.agent.events;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/// Finds events that differ in their words alone, such as in an id that is new with every attempt:
/// of those only so many are told one by one, the others as one. So the kubelet's are.
final class SimilarEvents {
  private static final int ONE_BY_ONE = 9;
  private static final Duration FORGOTTEN = Duration.ofMinutes(10);
  private static final int REMEMBERED = 1_000;

  private record Sort(ObjectNode involved, boolean warning, String reason) {}

  private record Told(Set<String> messages, Instant last) {}

  /// The oldest are forgotten.
  private final Map<Sort, Told> told =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Sort, Told> eldest) {
          return size() > REMEMBERED;
        }
      };

  /// Whether it is one too many to be told on its own.
  boolean isOneOfMany(
      ObjectNode involved, boolean warning, String reason, String message, Instant now) {
    Sort sort = new Sort(involved, warning, reason);
    Told before = told.remove(sort);
    Set<String> messages =
        before == null || before.last().plus(FORGOTTEN).isBefore(now)
            ? new HashSet<>()
            : before.messages();
    boolean isKnown = messages.contains(message);
    boolean isOneOfMany = !isKnown && messages.size() >= ONE_BY_ONE;
    if (!isKnown && !isOneOfMany) {
      messages.add(message);
    }
    told.put(sort, new Told(messages, now));
    return isOneOfMany;
  }
}
