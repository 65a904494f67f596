package dev.berth.chaos.load;

import dev.berth.chaos.history.CounterHistory;
import dev.berth.chaos.history.RevisionRecord;
import dev.berth.chaos.history.RunLog;
import java.time.Duration;
import java.util.Map;
import java.util.Random;

/// Reads counters and increments them by compare-and-set, in competition with other clients. A lost
/// race is expected; a refusal for another reason is a violation.
final class CounterClient extends LoadWorker {
  private static final Duration PACE = Duration.ofMillis(20);
  private static final Duration AFTER_FAILURE = Duration.ofMillis(200);

  private final String name;
  private final ApiCaller api;
  private final Map<String, CounterHistory> counters;
  private final RevisionRecord revisions;
  private final RunLog log;
  private final Random random;

  /// @param counters the histories by the names of the counters, which exist
  CounterClient(
      String name,
      ApiCaller api,
      Map<String, CounterHistory> counters,
      RevisionRecord revisions,
      RunLog log,
      long seed) {
    super(name);
    this.name = name;
    this.api = api;
    this.counters = Map.copyOf(counters);
    this.revisions = revisions;
    this.log = log;
    this.random = new Random(seed);
  }

  @Override
  void round() {
    String key = counters.keySet().stream().sorted().toList().get(random.nextInt(counters.size()));
    CounterHistory history = counters.get(key);
    long invoked = System.nanoTime();
    ApiAnswer read = api.get(ConfigMaps.path(key));
    if (history == null || !read.isSuccess()) {
      if (read.isRefusal() && !read.isUnrelated()) {
        log.violation("counters", "the read of %s was refused: %s".formatted(key, read));
      }
      pause(AFTER_FAILURE);
      return;
    }
    long value = Long.parseLong(ConfigMaps.value(read.body()));
    history.read(invoked, System.nanoTime(), value);
    increment(key, history, value + 1, read.revision());
  }

  /// Writes the next value with the revision that was read as the condition.
  private void increment(String key, CounterHistory history, long value, long revision) {
    String json = ConfigMaps.json(key, Long.toString(value), revision);
    long invoked = System.nanoTime();
    ApiAnswer answer = api.put(ConfigMaps.path(key), json);
    if (answer.isSuccess()) {
      history.incremented(invoked, System.nanoTime(), value);
      revisions.claim(answer.revision(), key, Long.toString(value), name);
      log.count("acknowledged increments");
      pause(PACE);
    } else if (answer.status() == 409) {
      log.count("increments that lost the race");
      pause(PACE);
    } else if (answer.isRefusal()) {
      if (!answer.isUnrelated()) {
        log.violation("counters", "an increment was refused: " + answer);
      }
      pause(AFTER_FAILURE);
    } else {
      // The server may have made the increment and lost the connection before its answer.
      history.unknown(invoked, value);
      pause(AFTER_FAILURE);
    }
  }
}
