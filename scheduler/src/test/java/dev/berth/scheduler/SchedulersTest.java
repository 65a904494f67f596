package dev.berth.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

final class SchedulersTest {
  @Test
  void aSchedulerBesideTheUsualOneDoesNotTakeTurnsWithIt() {
    assertThat(Schedulers.lease(Schedulers.DEFAULT_NAMES).name()).isEqualTo("kube-scheduler");
    assertThat(Schedulers.lease(Set.of("default-scheduler", "b")).name())
        .isEqualTo("kube-scheduler");
    assertThat(Schedulers.lease(Set.of("b", "a")).name()).isEqualTo("berth-scheduler-a-b");
  }
}
