package dev.berth.scheduler;

import dev.berth.scheduler.model.PodInfo;
import dev.berth.scheduler.model.RefusalCause;
import dev.berth.scheduler.placement.PlacementDecision;
import dev.berth.scheduler.placement.PlacementRefusal;
import dev.berth.scheduler.queue.QueuedPod;
import dev.berth.scheduler.queue.SchedulingQueue;
import dev.berth.scheduler.rules.RuleClock;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/// The scheduler's metrics: upstream's names where they exist, `berth_` names for what KEP-585 left
/// open.
///
/// One instance per process; schedulers start and stop with leadership.
public final class SchedulerMetrics {
  // Upstream's buckets, in seconds: 1 ms to 16 s, 10 ms to about 1.5 hours, and attempts.
  private static final double[] SECONDS = buckets(0.001, 2, 15);
  private static final double[] SLI_SECONDS = buckets(0.01, 2, 20);
  private static final double[] ATTEMPTS = {1, 2, 4, 8, 16};

  // A refusal usually has several causes, one or more for each node; see [#word] for their order.
  private static final Set<RefusalCause> NO_ROOM =
      EnumSet.of(RefusalCause.RESOURCES, RefusalCause.POD_COUNT, RefusalCause.PORTS);
  private static final Set<RefusalCause> UNSUPPORTED =
      EnumSet.of(RefusalCause.RUNTIME_UNSUPPORTED, RefusalCause.CLASS_MISSING);

  private final InstantSource clock;
  private final ClusterGauges gauges;
  private final RuleMetrics rules;
  private final Counter attempts;
  private final Histogram attemptSeconds;
  private final Histogram algorithmSeconds;
  private final Histogram podSeconds;
  private final Histogram podAttempts;
  private final Counter incoming;
  private final Counter refusals;

  public SchedulerMetrics(PrometheusRegistry registry, InstantSource clock) {
    this.clock = clock;
    this.gauges = new ClusterGauges(registry);
    this.rules = new RuleMetrics(registry);
    this.attempts =
        Counter.builder()
            .name("scheduler_schedule_attempts_total")
            .help("Attempts to schedule pods, by result: scheduled, unschedulable, error.")
            .labelNames("result", "profile")
            .register(registry);
    this.attemptSeconds =
        histogram(
            registry,
            "scheduler_scheduling_attempt_duration_seconds",
            "Time of one attempt, from taking the pod to its binding or refusal.",
            SECONDS,
            "result",
            "profile");
    this.algorithmSeconds =
        histogram(
            registry,
            "scheduler_scheduling_algorithm_duration_seconds",
            "Time to choose a node in memory.",
            // Upstream starts at 1 ms. A decision by shapes takes a few microseconds; all would be
            // in its first bucket.
            buckets(0.000_01, 2, 18));
    this.podSeconds =
        histogram(
            registry,
            "scheduler_pod_scheduling_sli_duration_seconds",
            "Time from first seeing a pod to its binding, over all its attempts.",
            SLI_SECONDS,
            "attempts");
    this.podAttempts =
        histogram(
            registry,
            "scheduler_pod_scheduling_attempts",
            "Attempts that a pod took until it was bound.",
            ATTEMPTS);
    this.incoming =
        Counter.builder()
            .name("scheduler_queue_incoming_pods_total")
            .help("Pods put into a part of the queue, by the event that put them there.")
            .labelNames("queue", "event")
            .register(registry);
    this.refusals =
        Counter.builder()
            .name("berth_scheduler_runtime_class_failures_total")
            .help(
                "Attempts without a node, by RuntimeClass and by what the nearest nodes lacked:"
                    + " unsupported, not_ready, no_room, other.")
            .labelNames("runtime_class", "cause")
            .register(registry);
  }

  static Histogram histogram(
      PrometheusRegistry registry, String name, String help, double[] bounds, String... labels) {
    return Histogram.builder()
        .name(name)
        .help(help)
        .labelNames(labels)
        // Native histograms would add a second form of every series, which upstream's dashboards do
        // not read.
        .classicOnly()
        .classicUpperBounds(bounds)
        .register(registry);
  }

  static double[] buckets(double first, double factor, int count) {
    double[] bounds = new double[count];
    double next = first;
    for (int i = 0; i < count; i++) {
      bounds[i] = next;
      next *= factor;
    }
    return bounds;
  }

  /// Makes the gauges read this state.
  void watch(SchedulingState state) {
    gauges.show(state);
  }

  /// An attempt begins; the caller holds the lock of the state until [#decided].
  RuleClock deciding(PodInfo pod) {
    return rules.start(pod.schedulerName());
  }

  void decided(PodInfo pod, PlacementDecision decision, RuleClock clock, long nanos) {
    algorithmSeconds.observe(nanos / 1e9);
    rules.stop(clock, pod.schedulerName(), decision instanceof PlacementDecision.Chosen);
  }

  void bound(PodInfo pod, boolean done, long nanos) {
    rules.bound(pod.schedulerName(), done, nanos);
  }

  void scheduled(QueuedPod pod, long startNanos) {
    ended(pod.pod(), "scheduled", startNanos);
    podAttempts.observe(pod.attempts());
    Duration whole = Duration.between(pod.since(), clock.instant());
    // Upstream's label, with the same bound on the number of series.
    String label = pod.attempts() >= 16 ? "16+" : Integer.toString(pod.attempts());
    // The wall clock may step back between the two readings.
    podSeconds.labelValues(label).observe(Math.max(0, whole.toNanos() / 1e9));
  }

  void unschedulable(PodInfo pod, PlacementRefusal refusal, long startNanos) {
    ended(pod, "unschedulable", startNanos);
    refusals.labelValues(pod.needs().className(), word(refusal)).inc();
  }

  void failed(PodInfo pod, long startNanos) {
    ended(pod, "error", startNanos);
  }

  private void ended(PodInfo pod, String result, long startNanos) {
    attempts.labelValues(result, pod.schedulerName()).inc();
    attemptSeconds
        .labelValues(result, pod.schedulerName())
        .observe((System.nanoTime() - startNanos) / 1e9);
  }

  void queued(SchedulingQueue.Part part, String event) {
    incoming.labelValues(part.label(), event).inc();
  }

  /// Classified by the nodes that came nearest: filters on runtimes run before filters on
  /// resources, so that a node that is only too full offers the class and is ready.
  private static String word(PlacementRefusal refusal) {
    Set<RefusalCause> causes = refusal.causes();
    if (!Collections.disjoint(causes, NO_ROOM)) {
      return "no_room";
    }
    if (causes.contains(RefusalCause.RUNTIME_NOT_READY)) {
      return "not_ready";
    }
    return Collections.disjoint(causes, UNSUPPORTED) ? "other" : "unsupported";
  }
}
