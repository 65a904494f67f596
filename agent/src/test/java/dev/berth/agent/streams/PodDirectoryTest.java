package dev.berth.agent.streams;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class PodDirectoryTest {
  @Test
  void aNodeWithoutPodsFindsNone() {
    assertThat(PodDirectory.EMPTY.pods()).isEmpty();
    assertThat(PodDirectory.EMPTY.find(StreamPod.of("web", "a"), "main"))
        .isEqualTo(new ContainerLocation.NotFound("pod \"a_web\" not found"));
  }
}
