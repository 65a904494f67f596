package dev.berth.chaos.load;

import dev.berth.chaos.history.KeyStates;
import dev.berth.chaos.history.RevisionRecord;
import dev.berth.chaos.history.RunLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Creates, updates and deletes keys of its own and records acknowledged writes. A key with an
/// unknown outcome gets a successor under a new name; see [dev.berth.chaos.history.KeyStates].
final class RegisterWriter extends LoadWorker {
  /// Keys in use at a time: few, so that each gets many writes.
  private static final int KEYS = 20;

  private static final Duration PACE = Duration.ofMillis(20);
  private static final Duration AFTER_FAILURE = Duration.ofMillis(200);

  private final String name;
  private final ApiCaller api;
  private final KeyStates states;
  private final RevisionRecord revisions;
  private final RunLog log;
  private final Random random;
  private final List<Key> keys = new ArrayList<>();
  private int made;
  private int writes;

  private static final class Key {
    private final String name;
    private boolean exists;

    Key(String name) {
      this.name = name;
    }
  }

  RegisterWriter(
      String name,
      ApiCaller api,
      KeyStates states,
      RevisionRecord revisions,
      RunLog log,
      long seed) {
    super(name);
    this.name = name;
    this.api = api;
    this.states = states;
    this.revisions = revisions;
    this.log = log;
    this.random = new Random(seed);
  }

  @Override
  void round() {
    while (keys.size() < KEYS) {
      keys.add(new Key(name + "-" + made++));
    }
    Key key = keys.get(random.nextInt(keys.size()));
    // One of five writes of an existing key deletes it.
    boolean delete = key.exists && random.nextInt(5) == 0;
    String value = delete ? KeyStates.ABSENT : "v" + writes++;
    ApiAnswer answer = delete ? api.delete(ConfigMaps.path(key.name)) : write(key, value);
    if (answer.isSuccess()) {
      states.acknowledged(key.name, value);
      log.count(RunLog.WRITES);
      if (!delete) {
        revisions.claim(answer.revision(), key.name, value, name);
      }
      key.exists = !delete;
      pause(PACE);
    } else if (answer.isRefusal() && !answer.isUnrelated()) {
      // Nobody else writes this key, so a refusal contradicts an acknowledged write.
      log.violation(
          "acknowledged writes", "%s to %s was refused: %s".formatted(key.name, value, answer));
      keys.remove(key);
      pause(AFTER_FAILURE);
    } else {
      if (!answer.isUnrelated()) {
        states.unknown(key.name, value);
        log.count("writes with an unknown outcome");
        keys.remove(key);
      }
      pause(AFTER_FAILURE);
    }
  }

  private ApiAnswer write(Key key, String value) {
    String json = ConfigMaps.json(key.name, value, 0);
    return key.exists
        ? api.put(ConfigMaps.path(key.name), json)
        : api.post(ConfigMaps.COLLECTION, json);
  }
}
