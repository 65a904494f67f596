package dev.berth.launch.containerd;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ContainerdShimTest {
  private static final Instant CONTAINERD = Instant.parse("2026-01-01T00:01:00Z");

  @ParameterizedTest
  @CsvSource({
    "gone, 00:00:59, true,  true",
    "gone, 00:00:59, false, false",
    "gone, 00:01:00, true,  false",
    "gone, 00:01:30, true,  false",
    "here, 00:00:59, true,  false",
  })
  void isLostThatHoldsNothingOfAnEarlierContainerd(
      String id, String started, boolean holdsNothing, boolean expected) {
    ContainerdShim shim =
        new ContainerdShim(
            ProcessHandle.current(),
            id,
            Instant.parse("2026-01-01T" + started + "Z"),
            holdsNothing);

    assertThat(shim.isLost(Set.of("here"), CONTAINERD)).isEqualTo(expected);
  }

  @Test
  void anotherContainerdsAreNotFound() {
    assertThat(ContainerdShim.of("/nowhere/containerd.sock")).isEmpty();
  }
}
