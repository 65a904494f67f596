package dev.berth.chaos.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/// Which values contradict the acknowledged writes.
final class KeyStatesTest {
  private final KeyStates states = new KeyStates();

  @Test
  void anAcknowledgedWriteMustBeThere() {
    states.acknowledged("a", "v1");

    assertThat(states.contradictions(Map.of("a", "v1"))).isEmpty();
    assertThat(states.contradictions(Map.of()))
        .containsExactly("a is (absent), but must be one of [v1]");
  }

  @Test
  void anAcknowledgedDeleteMustNotComeBack() {
    states.acknowledged("a", "v1");
    states.acknowledged("a", KeyStates.ABSENT);

    assertThat(states.contradictions(Map.of())).isEmpty();
    assertThat(states.contradictions(Map.of("a", "v1"))).hasSize(1);
  }

  @Test
  void afterAnUnknownOutcomeBothValuesAreRight() {
    states.acknowledged("a", "v1");
    states.unknown("a", "v2");
    states.unknown("b", "v3");

    assertThat(states.contradictions(Map.of("a", "v1"))).isEmpty();
    assertThat(states.contradictions(Map.of("a", "v2", "b", "v3"))).isEmpty();
    assertThat(states.contradictions(Map.of())).hasSize(1);
  }
}
