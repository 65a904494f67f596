package dev.berth.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.store.StoreHealth;
import org.junit.jupiter.api.Test;

final class UnreadableKeysTest {
  private final UnreadableKeys keys = new UnreadableKeys();

  @Test
  void theFirstIsNamedAndTheOthersAreCounted() {
    assertThat(keys.problem()).isNull();
    keys.found("pods/b", problem("pods/b"));
    keys.found("pods/a", problem("pods/a"));
    assertThat(keys.problem())
        .isEqualTo(new StoreHealth.Degraded("pods/a cannot be read (nor can 1 more)", "why", "do"));
    assertThat(keys.settled("pods/a")).isTrue();
    assertThat(keys.problem()).isEqualTo(problem("pods/b"));
    assertThat(keys.settled("pods/a")).isFalse();
    keys.forget();
    assertThat(keys.problem()).isNull();
  }

  private static StoreHealth.Degraded problem(String key) {
    return new StoreHealth.Degraded(key + " cannot be read", "why", "do");
  }
}
