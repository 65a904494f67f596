package dev.berth.agent.volumes.payloads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.fake.ManualTime;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class RoundSourcesTest {
  private final FakeSources sources = new FakeSources(new ManualTime(Instant.EPOCH));
  private final RoundSources round = new RoundSources(sources);
  private final AtomicInteger asked = new AtomicInteger();

  @BeforeEach
  void count() {
    sources.whenRead = asked::incrementAndGet;
  }

  @Test
  void whatManyPodsUseIsAskedForOnce() {
    sources.configMaps.put("m", Map.of("a", "1"));

    assertThat(round.configMap("n", "m").orElseThrow()).containsOnlyKeys("a");
    assertThat(round.configMap("n", "m").orElseThrow()).containsOnlyKeys("a");
    assertThat(round.configMap("n", "missing")).isEmpty();
    assertThat(round.configMap("n", "missing")).isEmpty();

    assertThat(asked).hasValue(2);
  }

  @Test
  void namesMeanDifferentThingsInOtherNamespacesAndKinds() {
    sources.configMaps.put("m", Map.of("a", "1"));
    sources.secrets.put("m", Map.of("b", "2"));

    assertThat(round.configMap("n", "m").orElseThrow()).containsOnlyKeys("a");
    assertThat(round.secret("n", "m").orElseThrow()).containsOnlyKeys("b");
    assertThat(round.configMap("other", "m").orElseThrow()).containsOnlyKeys("a");

    assertThat(asked).hasValue(2);
  }

  @Test
  void itDoesNotHoldMoreThanAFewMebibytes() {
    for (String name : new String[] {"a", "b", "c"}) {
      sources.configMaps.put(name, Map.of("a", "x".repeat(2 << 20)));
      assertThat(round.configMap("n", name)).isPresent();
    }

    assertThat(round.configMap("n", "a")).isPresent();
    assertThat(asked).as("known").hasValue(3);
    assertThat(round.configMap("n", "c")).isPresent();
    assertThat(asked).as("asked for again").hasValue(4);
  }
}
