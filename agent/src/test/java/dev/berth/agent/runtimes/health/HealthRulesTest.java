package dev.berth.agent.runtimes.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.runtimes.health.HealthObservation.Answered;
import dev.berth.agent.runtimes.health.HealthObservation.Connected;
import dev.berth.agent.runtimes.health.HealthObservation.Disconnected;
import dev.berth.agent.runtimes.health.HealthObservation.Failed;
import dev.berth.agent.runtimes.health.HealthObservation.ProbeDue;
import dev.berth.agent.runtimes.health.HealthRules.Decision;
import dev.berth.agent.runtimes.health.ServiceHealth.NotReady;
import dev.berth.agent.runtimes.health.ServiceHealth.Ready;
import dev.berth.api.Problem;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HealthRulesTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final Problem REFUSED = new Problem("a", "refused", "");

  private final HealthRules rules = new HealthRules("a", HealthTimings.STANDARD);
  private HealthState state = HealthState.registered(START);
  private Instant now = START;

  /// Words: due, up, down, ok, failed, nonet, nocompute; `+N` lets N milliseconds pass. Expected:
  /// health, whether a probe starts, milliseconds until the next.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          due                        | Connecting | true  |
          due up                     | Connecting | false |
          due ok                     | Ready      | false | 800
          due failed                 | NotReady   | false | 50
          due failed due failed      | NotReady   | false | 100
          due failed due failed due failed due failed due failed | NotReady | false | 250
          due failed due failed due failed due failed due failed due failed due failed | NotReady | false | 250
          due failed due ok          | Ready      | false | 800
          due failed up              | NotReady   | true  |
          due up failed              | NotReady   | true  |
          due up ok                  | Ready      | true  |
          due ok down                | NotReady   | true  |
          due ok due down            | NotReady   | false |
          due ok due down failed     | NotReady   | true  |
          due ok due down ok         | Ready      | true  |
          due ok down failed         | NotReady   | false | 50
          due failed down            | NotReady   | false |
          down                       | Connecting | false |
          due nonet                  | NotReady   | false | 250
          due nocompute              | NotReady   | false | 250
          due nonet due ok           | Ready      | false | 800
          due ok due nonet           | NotReady   | false | 250
          due ok due nonet down      | NotReady   | true  |
          """)
  void observationsBecomeHealth(String words, String health, boolean probes, Long next) {
    Decision last = play(words);

    assertThat(last.state().health().word()).isEqualTo(health);
    assertThat(last.probeNow()).isEqualTo(probes);
    assertThat(last.nextProbe()).isEqualTo(next == null ? null : Duration.ofMillis(next));
  }

  @Test
  void aServiceThatComesAndGoesMustProveItself() {
    play("due ok +1 down failed due ok +1 down failed due ok +1 down failed");
    assertThat(play("due ok").state().health())
        .isEqualTo(
            new NotReady(
                now,
                new Problem(
                    "runtime service a is not ready",
                    "it was lost 3 times within 60 seconds",
                    "It counts as ready again after 10 seconds without a loss"),
                true,
                false));
    assertThat(play("+9999 due ok").state().health()).isInstanceOf(NotReady.class);
    assertThat(play("+1 due ok").state().health()).isEqualTo(new Ready(now));
  }

  @Test
  void anotherLossStartsTheProofAnew() {
    play(
        "due ok down failed due ok down failed due ok down failed due ok +9000 due ok down failed");

    assertThat(play("due ok +5000 due ok").state().health()).isInstanceOf(NotReady.class);
    assertThat(play("+5000 due ok").state().health()).isInstanceOf(Ready.class);
  }

  @Test
  void lossesOfLongAgoAreForgotten() {
    play("due ok down failed due ok down failed due ok +60000 due ok down failed");

    assertThat(play("due ok").state().health()).isEqualTo(new Ready(now));
    assertThat(state.losses()).hasSize(1);
  }

  @Test
  void healthRemembersSinceWhen() {
    assertThat(play("due +10 ok +2000 due ok").state().health())
        .isEqualTo(new Ready(START.plusMillis(10)));
    assertThat(play("+10 down +10 failed +50 due failed").state().health())
        .isEqualTo(new NotReady(START.plusMillis(2020), REFUSED, false, false));
  }

  @Test
  void aMissingNetworkLeavesComputeReady() {
    assertThat(play("due nonet").state().health())
        .isEqualTo(
            new NotReady(
                START,
                new Problem(
                    "runtime service a is not ready",
                    "NetworkReady is false: NoCni: no network configuration",
                    "Give the runtime a network configuration (CNI)"),
                true,
                true));
    assertThat(state.health().canStart(true)).isTrue();
    assertThat(state.health().canStart(false)).isFalse();
  }

  @Test
  void aStatusWithoutConditionsIsNotReady() {
    Decision decision = rules.decide(state, new Answered(told()), now);

    assertThat(decision.state().health())
        .isInstanceOfSatisfying(
            NotReady.class,
            notReady ->
                assertThat(notReady.reason().why())
                    .isEqualTo("RuntimeReady is missing in its status"));
  }

  private Decision play(String words) {
    Decision last = new Decision(state, false, null);
    for (String word : words.split(" ", -1)) {
      if (word.startsWith("+")) {
        now = now.plusMillis(Long.parseLong(word.substring(1)));
        continue;
      }
      last = rules.decide(state, observation(word), now);
      state = last.state();
    }
    return last;
  }

  private static HealthObservation observation(String word) {
    return switch (word) {
      case "due" -> new ProbeDue();
      case "up" -> new Connected();
      case "down" -> new Disconnected();
      case "failed" -> new Failed(REFUSED);
      case "ok" -> new Answered(told(compute(true), network(true)));
      case "nonet" -> new Answered(told(compute(true), network(false)));
      case "nocompute" -> new Answered(told(compute(false), network(true)));
      default -> throw new IllegalArgumentException(word);
    };
  }

  private static DiscoveredService told(RuntimeCondition... conditions) {
    return new DiscoveredService(
        new RuntimeVersion("fake", "1", "v1"),
        ServiceHandlers.UNDISCLOSED,
        List.of(conditions),
        false,
        false);
  }

  private static RuntimeCondition compute(boolean ready) {
    return new RuntimeCondition(RuntimeCondition.COMPUTE, ready, "Down", "not running");
  }

  private static RuntimeCondition network(boolean ready) {
    return new RuntimeCondition(
        RuntimeCondition.NETWORK, ready, "NoCni", "no network configuration");
  }
}
