package dev.berth.agent.pods.metrics;

import dev.berth.agent.pods.act.StepOutcome;
import dev.berth.agent.pods.plan.PodStep;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/// Metrics about pods, with the kubelet's names.
public final class PodMetrics {
  private static final double[] STARTS = {
    0.5, 1, 2, 3, 4, 5, 6, 8, 10, 20, 30, 45, 60, 120, 180, 240, 300, 360, 480, 600, 900, 1200,
    1800, 2700, 3600
  };

  private static final double[] PULLS = {
    1, 5, 10, 20, 30, 60, 180, 300, 600, 900, 1200, 1800, 2700, 3600
  };

  /// The current number of pods and containers.
  ///
  /// @param pods with a ready sandbox
  /// @param containers by the kubelet's name of their state
  public record Present(int pods, Map<String, Integer> containers) {
    static final Present NONE = new Present(0, Map.of());
  }

  private final Gauge evictions;
  private final Gauge preemptions;
  private final Counter startedPods;
  private final Counter failedPods;
  private final Counter startedContainers;
  private final Counter failedContainers;
  private final Histogram starts;
  private final Histogram startsWithoutPulls;
  private final Histogram work;
  private final Histogram lists;
  private final Histogram intervals;
  private final Gauge lastList;
  private final Histogram pulls;
  private final AtomicReference<Instant> listedAt = new AtomicReference<>();
  private final Gauge node;
  private volatile Supplier<Present> present = () -> Present.NONE;

  public PodMetrics(PrometheusRegistry registry) {
    // The library adds `_total` to the names of counters; the kubelet does not.
    evictions =
        Gauge.builder()
            .name("kubelet_evictions")
            .help("Pods evicted, by the signal of the resource that was short.")
            .labelNames("eviction_signal")
            .register(registry);
    preemptions =
        Gauge.builder()
            .name("kubelet_preemptions")
            .help("Pods preempted for critical pods, by the resource that was short.")
            .labelNames("preemption_signal")
            .register(registry);
    startedPods =
        counter("kubelet_started_pods_total", "Sandbox starts attempted.").register(registry);
    failedPods =
        counter("kubelet_started_pods_errors_total", "Of these, failed.").register(registry);
    startedContainers =
        counter("kubelet_started_containers_total", "Container starts attempted.")
            .labelNames("container_type")
            .register(registry);
    failedContainers =
        counter(
                "kubelet_started_containers_errors_total",
                "Container starts that failed, by reason.")
            .labelNames("container_type", "code")
            .register(registry);
    starts =
        histogram(
                "kubelet_pod_start_duration_seconds",
                "From the first observation of a pod to Running.")
            .classicUpperBounds(STARTS)
            .register(registry);
    startsWithoutPulls =
        histogram(
                "kubelet_pod_start_sli_duration_seconds",
                "From the creation of a pod to Running, without the time of pulls.")
            .classicUpperBounds(STARTS)
            .register(registry);
    work =
        histogram("kubelet_pod_worker_duration_seconds", "Duration of one reconciliation of a pod.")
            .labelNames("operation_type")
            .register(registry);
    lists =
        histogram(
                "kubelet_pleg_relist_duration_seconds",
                "Duration of one list of a runtime service.")
            .register(registry);
    intervals =
        histogram(
                "kubelet_pleg_relist_interval_seconds",
                "Interval between two lists, over all runtime services.")
            .register(registry);
    lastList =
        Gauge.builder()
            .name("kubelet_pleg_last_seen_seconds")
            .help("Time of the last list of a runtime service.")
            .register(registry);
    pulls =
        histogram("kubelet_image_pull_duration_seconds", "Duration of image pulls, by image size.")
            .labelNames("image_size_in_bytes")
            .classicUpperBounds(PULLS)
            .register(registry);
    node =
        Gauge.builder()
            .name("kubelet_node_name")
            .help("The name of the node.")
            .labelNames("node")
            .register(registry);
    showPresent(registry);
  }

  private void showPresent(PrometheusRegistry registry) {
    GaugeWithCallback.builder()
        .name("kubelet_running_pods")
        .help("Pods with a ready sandbox, over all runtime services.")
        .callback(gauge -> gauge.call(present.get().pods()))
        .register(registry);
    GaugeWithCallback.builder()
        .name("kubelet_running_containers")
        .help("Containers by their state, over all runtime services.")
        .labelNames("container_state")
        .callback(
            gauge -> present.get().containers().forEach((state, count) -> gauge.call(count, state)))
        .register(registry);
  }

  private static Counter.Builder counter(String name, String help) {
    return Counter.builder().name(name).help(help);
  }

  private static Histogram.Builder histogram(String name, String help) {
    return Histogram.builder().name(name).help(help).classicOnly();
  }

  /// Registers the gauges of the node and its pods.
  public void follow(String name, Supplier<Present> there) {
    node.labelValues(name).set(1);
    present = there;
  }

  /// Counts a pod that was evicted.
  ///
  /// @param signal such as `memory.available`
  public void evicted(String signal) {
    evictions.labelValues(signal).inc();
  }

  public void preempted(String signal) {
    preemptions.labelValues(signal).inc();
  }

  public void worked(String operation, long nanos) {
    work.labelValues(operation).observe(nanos / 1e9);
  }

  public void listed(Duration took, Instant now) {
    lists.observe(took.toNanos() / 1e9);
    lastList.set(now.toEpochMilli() / 1e3);
    Instant before = listedAt.getAndSet(now);
    if (before != null) {
      intervals.observe(Math.max(0, Duration.between(before, now).toNanos() / 1e9));
    }
  }

  public void pulled(Duration took, long bytes) {
    pulls.labelValues(ImageSizes.name(bytes)).observe(took.toNanos() / 1e9);
  }

  /// Records that a pod runs for the first time.
  ///
  /// @param seen the time since the agent first saw the pod
  /// @param created the time since its creation, without image pulls
  public void running(Duration seen, Duration created) {
    starts.observe(seen.toNanos() / 1e9);
    startsWithoutPulls.observe(Math.max(0, created.toNanos() / 1e9));
  }

  /// Counts a step that ended.
  ///
  /// @param type of the container; empty for steps of the pod
  public void ended(PodStep step, String type, StepOutcome outcome) {
    boolean failed =
        outcome instanceof StepOutcome.Failed || outcome instanceof StepOutcome.Unknown;
    switch (step) {
      case PodStep.RunSandbox _ -> {
        startedPods.inc();
        failedPods.inc(failed ? 1 : 0);
      }
      case PodStep.StartContainer _ -> {
        startedContainers.labelValues(type).inc();
        if (failed) {
          String code =
              outcome instanceof StepOutcome.Failed(_, var reason, _, _) ? reason : "Unknown";
          failedContainers.labelValues(type, code).inc();
        }
      }
      case PodStep.StopSandbox _,
          PodStep.RemoveSandbox _,
          PodStep.PullImage _,
          PodStep.FindImage _,
          PodStep.PreStop _,
          PodStep.StopContainer _,
          PodStep.RemoveContainer _,
          PodStep.ResizeContainer _,
          PodStep.ResizePod _ -> {
        // Calls to runtime services have metrics of their own.
      }
    }
  }
}
