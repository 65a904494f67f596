package dev.berth.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

final class RunningSchedulerTest {
  @Test
  void aSchedulerBesideTheUsualOneDoesNotTakeTurnsWithIt() {
    assertThat(RunningScheduler.lease(RunningScheduler.DEFAULT_NAMES).name())
        .isEqualTo("kube-scheduler");
    assertThat(RunningScheduler.lease(Set.of("default-scheduler", "b")).name())
        .isEqualTo("kube-scheduler");
    assertThat(RunningScheduler.lease(Set.of("b", "a")).name()).isEqualTo("berth-scheduler-a-b");
  }
}
