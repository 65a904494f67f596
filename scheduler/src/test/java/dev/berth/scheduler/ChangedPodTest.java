package dev.berth.scheduler;

import static dev.berth.scheduler.model.TestObjects.node;
import static dev.berth.scheduler.model.TestObjects.podTree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.fake.ManualTime;
import dev.berth.scheduler.SchedulingState.Attempt;
import dev.berth.scheduler.model.TrackedPod;
import dev.berth.scheduler.placement.PlacementDecision;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/// A pod that changes between the decision about it and its bind.
final class ChangedPodTest {
  private final ManualTime time = new ManualTime(Instant.EPOCH);
  private final SchedulingState state =
      new SchedulingState(
          SchedulerProfile.DEFAULT, time, new SchedulerMetrics(new PrometheusRegistry(), time));

  ChangedPodTest() {
    state.putNode(node("a", "'metadata':{'labels':{'disk':'ssd'}}"));
    state.putNode(node("b", "'metadata':{'labels':{'disk':'hdd'}}"));
  }

  @Test
  void nextAttemptDecidesByWhatThePodAsksForNow() throws InterruptedException {
    observe("ssd");
    Attempt first = state.next();
    assertThat(nodeOf(first)).isEqualTo("a");

    observe("hdd");
    assertThat(state.isStillGood(first.pod(), "a")).isFalse();
    state.rollBack(first.pod(), true);

    assertThat(nodeOf(state.next())).isEqualTo("b");
  }

  @Test
  void changeThatIsTakenBackDoesNotPreventTheBind() throws InterruptedException {
    observe("ssd");
    Attempt first = state.next();
    observe("hdd");
    observe("ssd");

    assertThat(state.isStillGood(first.pod(), "a")).isTrue();
  }

  private void observe(String disk) {
    state.putPod(TrackedPod.parse(podTree("p", "'nodeSelector':{'disk':'%s'}".formatted(disk))));
  }

  private static String nodeOf(Attempt attempt) {
    return ((PlacementDecision.Chosen) attempt.decision()).node().name();
  }
}
