package dev.berth.scheduler;

import static dev.berth.scheduler.model.TestObjects.node;
import static dev.berth.scheduler.model.TestObjects.pod;
import static dev.berth.scheduler.model.TestObjects.podTree;
import static dev.berth.scheduler.model.TestObjects.requests;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.ObjectKey;
import dev.berth.client.fake.ManualTime;
import dev.berth.scheduler.SchedulingState.Attempt;
import dev.berth.scheduler.model.TrackedPod;
import dev.berth.scheduler.placement.PlacementDecision;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What dashboards made for upstream's scheduler read, while one pod after the other is decided.
final class UpstreamMetricsTest {
  private static final String FULL =
      "scheduler_unschedulable_pods{plugin=\"NodeResourcesFit\",profile=\"default-scheduler\"} ";

  private final ManualTime time = new ManualTime(Instant.EPOCH);
  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final SchedulerMetrics metrics = new SchedulerMetrics(registry, time);
  private final SchedulingState state =
      new SchedulingState(SchedulerProfile.DEFAULT, time, metrics);

  UpstreamMetricsTest() {
    metrics.watch(state);
    state.putNode(node("a"));
  }

  private void waiting(String name, String spec) {
    state.putPod(TrackedPod.parse(podTree(name, spec)));
  }

  private void delete(String name) {
    state.removePod(new ObjectKey("default", name));
  }

  private PlacementDecision decideNext() {
    try {
      Attempt attempt = state.next();
      if (attempt.decision() instanceof PlacementDecision.Chosen) {
        metrics.scheduled(attempt.pod(), attempt.startNanos());
      }
      return attempt.decision();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private List<String> text() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      PrometheusTextFormatWriter.create().write(out, registry.scrape());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private List<String> lines(String start) {
    return text().stream().filter(line -> line.startsWith(start)).toList();
  }

  @Test
  void theUnschedulableGaugeFallsWhenAPodGetsAPlaceOrGoes() {
    waiting("big", requests(5000, 1));
    waiting("bigger", requests(9000, 1));
    decideNext();
    decideNext();
    assertThat(lines("scheduler_unschedulable_pods")).containsExactly(FULL + "2.0");

    delete("bigger");
    assertThat(lines("scheduler_unschedulable_pods")).containsExactly(FULL + "1.0");

    state.putNode(node("b", "'status':{'allocatable':{'cpu':'8'}}"));
    time.advance(Duration.ofSeconds(1));
    assertThat(decideNext()).isInstanceOf(PlacementDecision.Chosen.class);
    assertThat(lines("scheduler_unschedulable_pods")).isEmpty();
  }

  @Test
  void aPodCountsOnceForEachRuleThatRefusedNodes() {
    state.putNode(node("closed", "'spec':{'taints':[{'key':'x','effect':'NoSchedule'}]}"));
    waiting("p", requests(5000, 1));
    decideNext();

    assertThat(lines("scheduler_unschedulable_pods"))
        .containsExactly(FULL + "1.0", FULL.replace("NodeResourcesFit", "TaintToleration") + "1.0");
  }

  @Test
  void rulesAreCountedInEveryAttemptAndMeasuredInTheFirst() {
    waiting("p", requests(100, 1));
    waiting("q", requests(100, 1));
    decideNext();
    decideNext();

    String labels = "{extension_point=\"%s\",plugin=\"%s\",profile=\"default-scheduler\"} ";
    assertThat(lines("scheduler_plugin_evaluation_total"))
        // Traits are judged once for equal pods, room each time.
        .contains(
            "scheduler_plugin_evaluation_total"
                + labels.formatted("Filter", "RuntimeClass")
                + "1.0")
        .contains(
            "scheduler_plugin_evaluation_total"
                + labels.formatted("Filter", "NodeResourcesFit")
                + "2.0")
        .contains(
            "scheduler_plugin_evaluation_total"
                + labels.formatted("PreFilter", "RuntimeClass")
                + "2.0")
        .contains(
            "scheduler_plugin_evaluation_total"
                + labels.formatted("Score", "ImageLocality")
                + "2.0");
    assertThat(lines("scheduler_plugin_execution_duration_seconds_count"))
        .contains(
            "scheduler_plugin_execution_duration_seconds_count"
                + "{extension_point=\"Filter\",plugin=\"NodeResourcesFit\",status=\"Success\"} 1");
    assertThat(lines("scheduler_framework_extension_point_duration_seconds_count"))
        .containsExactlyInAnyOrder(steps("PreFilter"), steps("Filter"), steps("Score"));
  }

  private static String steps(String point) {
    return "scheduler_framework_extension_point_duration_seconds_count"
        + "{extension_point=\"%s\",profile=\"default-scheduler\",status=\"Success\"} 1"
            .formatted(point);
  }

  @Test
  void anAttemptInWhichNoNodePassedIsAnUnschedulableFilter() {
    waiting("p", requests(5000, 1));
    decideNext();

    assertThat(lines("scheduler_framework_extension_point_duration_seconds_count"))
        .contains(steps("Filter").replace("Success", "Unschedulable"));
    assertThat(lines("scheduler_plugin_execution_duration_seconds_count"))
        .contains(
            "scheduler_plugin_execution_duration_seconds_count"
                + "{extension_point=\"Filter\",plugin=\"NodeResourcesFit\",status=\"Unschedulable\"} 1");
  }

  @Test
  void bindsAreMeasuredEachTimeByHowTheyEnd() {
    metrics.bound(pod("p", ""), true, 1_000);
    metrics.bound(pod("p", ""), false, 1_000);

    assertThat(lines("scheduler_framework_extension_point_duration_seconds_count"))
        .containsExactly(steps("Bind").replace("Success", "Error"), steps("Bind"));
  }

  @Test
  void queueAndCacheAreToldByTheirParts() {
    waiting("p", requests(100, 1));
    waiting("full", requests(5000, 1));
    waiting("gated", "'schedulingGates':[{'name':'quota'}]");
    decideNext();
    decideNext();
    waiting("next", requests(100, 1));

    assertThat(lines("scheduler_pending_pods"))
        .containsExactlyInAnyOrder(
            "scheduler_pending_pods{queue=\"active\"} 1.0",
            "scheduler_pending_pods{queue=\"backoff\"} 0.0",
            "scheduler_pending_pods{queue=\"unschedulable\"} 1.0",
            "scheduler_pending_pods{queue=\"gated\"} 1.0");
    assertThat(lines("scheduler_queue_incoming_pods_total"))
        .contains(
            "scheduler_queue_incoming_pods_total{event=\"UnscheduledPodAdd\",queue=\"active\"} 3.0",
            "scheduler_queue_incoming_pods_total{event=\"UnscheduledPodAdd\",queue=\"gated\"} 1.0",
            "scheduler_queue_incoming_pods_total"
                + "{event=\"ScheduleAttemptFailure\",queue=\"unschedulable\"} 1.0");
    for (String name : List.of("scheduler_scheduler_cache_size", "scheduler_cache_size")) {
      assertThat(lines(name + "{"))
          .containsExactlyInAnyOrder(
              name + "{type=\"nodes\"} 1.0",
              name + "{type=\"pods\"} 1.0",
              name + "{type=\"assumed_pods\"} 1.0");
    }
  }

  @Test
  void theWholeWaitOfAPodCountsOverItsAttempts() {
    waiting("p", requests(5000, 1));
    decideNext();
    time.advance(Duration.ofSeconds(3));
    state.putNode(node("b", "'status':{'allocatable':{'cpu':'8'}}"));
    decideNext();

    assertThat(text())
        .contains(
            "scheduler_pod_scheduling_attempts_sum 2.0",
            "scheduler_pod_scheduling_sli_duration_seconds_count{attempts=\"2\"} 1",
            "scheduler_pod_scheduling_sli_duration_seconds_sum{attempts=\"2\"} 3.0",
            "scheduler_scheduling_algorithm_duration_seconds_count 2");
  }
}
