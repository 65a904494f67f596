package dev.berth.agent.pods.logs;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ReportedContainerTest {
  @ParameterizedTest
  @CsvSource({
    "ErrImagePull, image can't be pulled",
    "ImagePullBackOff, trying and failing to pull image",
    "CreateContainerConfigError, CreateContainerConfigError",
    "PodInitializing, PodInitializing"
  })
  void whoWaitsForAnImageSaysSoInTheKubeletsWords(String reason, String text) {
    assertThat(new ReportedContainer(waiting(reason)).waitsFor()).isEqualTo(text);
  }

  @Test
  void ephemeralContainersWaitForTheirReasonsToo() {
    Pod pod =
        new PodBuilder()
            .withNewStatus()
            .withEphemeralContainerStatuses(waiting("ImagePullBackOff"))
            .endStatus()
            .build();

    assertThat(ReportedContainer.of(pod, "main").waitsFor())
        .isEqualTo("trying and failing to pull image");
    assertThat(ReportedContainer.of(pod, "other").waitsFor()).isEqualTo("ContainerCreating");
  }

  @Test
  void thePreviousInstanceIsTheLastThatEnded() {
    ContainerStatus again =
        new ContainerStatusBuilder(waiting("CrashLoopBackOff"))
            .withNewLastState()
            .withNewTerminated()
            .withContainerID("containerd://abc")
            .endTerminated()
            .endLastState()
            .build();

    assertThat(new ReportedContainer(again).previousId()).isEqualTo("abc");
    assertThat(new ReportedContainer(again).waitsForItsNextStart()).isTrue();
    assertThat(new ReportedContainer(waiting("ContainerCreating")).previousId()).isEmpty();
    assertThat(new ReportedContainer(null).waitsForItsNextStart()).isFalse();
  }

  private static ContainerStatus waiting(String reason) {
    return new ContainerStatusBuilder()
        .withName("main")
        .withNewState()
        .withNewWaiting()
        .withReason(reason)
        .endWaiting()
        .endState()
        .build();
  }
}
