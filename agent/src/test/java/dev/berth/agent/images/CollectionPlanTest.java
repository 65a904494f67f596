package dev.berth.agent.images;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.images.CollectionPlan.Candidate;
import dev.berth.cri.CriEndpoint;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class CollectionPlanTest {
  private static final CollectionRules RULES =
      new CollectionRules(85, 80, Duration.ofMinutes(2), Duration.ofMinutes(5));
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final CriEndpoint ONE = store("/one.sock");
  private static final CriEndpoint OTHER = store("/other.sock");

  private static CriEndpoint store(String socket) {
    return new CriEndpoint.UnixSocket(Path.of(socket));
  }

  private static StoredImage image(String id, long size, Duration unusedFor) {
    Instant lastUsed = NOW.minus(unusedFor);
    return new StoredImage(id, "", Set.of(id), size, false, lastUsed, lastUsed);
  }

  private static Candidate candidate(CriEndpoint store, String id, long size, int unusedHours) {
    return new Candidate(store, image(id, size, Duration.ofHours(unusedHours)));
  }

  private static List<String> choose(long used, Candidate... candidates) {
    return CollectionPlan.choose(List.of(candidates), new ImageDisk(1, used, 1000), RULES).stream()
        .map(one -> one.store() + " " + one.image().id())
        .toList();
  }

  @Test
  void servicesOfOneDiskTogetherFreeWhatIsTooMuchAndNoMore() {
    assertThat(
            choose(
                900,
                candidate(ONE, "a", 60, 1),
                candidate(ONE, "b", 60, 4),
                candidate(OTHER, "c", 60, 3),
                candidate(OTHER, "d", 60, 2)))
        .containsExactly("unix:///one.sock b", "unix:///other.sock c");
  }

  @Test
  void theSameImageOfTwoServicesIsTwo() {
    assertThat(choose(900, candidate(ONE, "a", 60, 1), candidate(OTHER, "a", 60, 1))).hasSize(2);
  }

  @Test
  void belowTheHighThresholdAllStay() {
    assertThat(choose(849, candidate(ONE, "a", 60, 1))).isEmpty();
    assertThat(choose(850, candidate(ONE, "a", 60, 1))).hasSize(1);
  }

  @Test
  void whatIsUsedPinnedOrNewStays() {
    StoredImage old = image("old", 1, Duration.ofHours(1));
    StoredImage used = image("used", 1, Duration.ofHours(1));
    StoredImage fresh = image("fresh", 1, Duration.ofMinutes(1));
    StoredImage pinned =
        new StoredImage("pinned", "", Set.of("pinned"), 1, true, Instant.EPOCH, Instant.EPOCH);

    assertThat(CollectionPlan.unused(List.of(old, used, fresh, pinned), used::equals, RULES, NOW))
        .containsExactly(old);
  }
}
