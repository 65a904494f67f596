package dev.berth.store.etcd;

import dev.berth.store.StoreHealth;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The keys whose newest value cannot be read. Unknown is not absent: the server keeps serving the
/// last readable value until somebody corrects or deletes the key.
///
/// Only the feed's thread changes it; any thread may read the problem.
final class UnreadableKeys {
  private static final Logger log = LoggerFactory.getLogger(UnreadableKeys.class);

  private final ConcurrentSkipListMap<String, StoreHealth.Degraded> problems =
      new ConcurrentSkipListMap<>();

  void found(String key, StoreHealth.Degraded problem) {
    if (problems.put(key, problem) == null) {
      log.error("key cannot be read, its last value stays served reason=\"{}\"", problem);
    }
  }

  /// True when the key could not be read until now.
  boolean settled(String key) {
    boolean known = problems.remove(key) != null;
    if (known) {
      log.info("key can be read again key={}", key);
    }
    return known;
  }

  void forget() {
    problems.clear();
  }

  /// The problem of the first unreadable key; null when all keys can be read.
  StoreHealth.@Nullable Degraded problem() {
    Map.Entry<String, StoreHealth.Degraded> first = problems.firstEntry();
    if (first == null) {
      return null;
    }
    StoreHealth.Degraded problem = first.getValue();
    int others = problems.size() - 1;
    return others < 1
        ? problem
        : new StoreHealth.Degraded(
            "%s (nor can %d more)".formatted(problem.what(), others),
            problem.why(),
            problem.whatToDo());
  }
}
