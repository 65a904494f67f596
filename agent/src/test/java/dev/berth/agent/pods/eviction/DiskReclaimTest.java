package dev.berth.agent.pods.eviction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.pods.observed.ObservedContainer;
import dev.berth.agent.pods.observed.ObservedContainer.State;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class DiskReclaimTest {
  @Test
  void theInstanceThatIsToldOfGoesLast() {
    List<ObservedContainer> newestFirst = List.of(instance(2), instance(1), instance(0));

    assertThat(newestFirst.stream().sorted(DiskReclaim.OLDEST_FIRST))
        .extracting(ObservedContainer::attempt)
        .containsExactly(0, 1, 2);
  }

  private static ObservedContainer instance(int attempt) {
    return new ObservedContainer(
        "id-" + attempt,
        "s",
        "main",
        attempt,
        State.EXITED,
        "",
        "",
        Instant.EPOCH,
        Instant.EPOCH,
        Instant.EPOCH,
        0,
        "",
        "",
        "",
        Map.of());
  }
}
