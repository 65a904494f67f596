package dev.berth.scheduler;

import static dev.berth.scheduler.model.TestObjects.node;
import static dev.berth.scheduler.model.TestObjects.pod;
import static dev.berth.scheduler.model.TestObjects.requests;
import static dev.berth.scheduler.model.TestObjects.service;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.scheduler.cluster.ClusterState;
import dev.berth.scheduler.model.PodInfo;
import dev.berth.scheduler.model.RuntimeClassInfo;
import dev.berth.scheduler.placement.NodePlacer;
import dev.berth.scheduler.placement.PlacementDecision;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SchedulerMetricsTest {
  private static final String TAINTED = "'spec':{'taints':[{'key':'x','effect':'NoSchedule'}]}";

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final SchedulerMetrics metrics = new SchedulerMetrics(registry, InstantSource.system());
  private final ClusterState cluster = new ClusterState();

  @Test
  void aFailureIsCountedByWhatTheNearestNodesLacked() {
    cluster.putClass(new RuntimeClassInfo("gvisor", "runsc"));
    cluster.putNode(node("closed", TAINTED));
    cluster.putNode(node("plain", service("containerd", "container", "runc", true)));
    assertThat(causeOf(requests(1, 1))).isEqualTo("unsupported");

    cluster.putNode(node("down", service("sandbox", "container", "runsc", false)));
    assertThat(causeOf(requests(1, 1))).isEqualTo("not_ready");

    cluster.putNode(node("full", service("sandbox", "container", "runsc", true)));
    assertThat(causeOf(requests(5000, 1))).isEqualTo("no_room");
  }

  @Test
  void anObstacleThatHasNothingToDoWithRuntimesIsAnother() {
    cluster.putClass(new RuntimeClassInfo("gvisor", "runsc"));
    cluster.putNode(node("closed", TAINTED));

    assertThat(causeOf(requests(1, 1))).isEqualTo("other");
  }

  private String causeOf(String spec) {
    PodInfo pod = pod("p", spec + ",'runtimeClassName':'gvisor'");
    List<String> before = causes();
    switch (new NodePlacer(cluster).place(pod)) {
      case PlacementDecision.Refused(var refusal) ->
          metrics.unschedulable(pod, refusal, System.nanoTime());
      case PlacementDecision.Chosen(var node, _) ->
          throw new AssertionError("it fits " + node.name());
    }
    return causes().stream().filter(cause -> !before.contains(cause)).findFirst().orElse("none");
  }

  private List<String> causes() {
    return registry.scrape(name -> name.equals("berth_scheduler_runtime_class_failures")).stream()
        .flatMap(snapshot -> ((CounterSnapshot) snapshot).getDataPoints().stream())
        .map(point -> point.getLabels().get("cause"))
        .toList();
  }
}
