package dev.berth.scheduler;

import dev.berth.scheduler.rules.ExtensionPoint;
import dev.berth.scheduler.rules.RuleClock;
import dev.berth.scheduler.rules.SchedulingRule;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Counts the calls of rules and measures the time of rules and extension points, by profile.
final class RuleMetrics {
  /// Upstream measures one attempt in ten; attempts here are so short that this would slow them
  /// down.
  private static final int MEASURED_ONE_OUT_OF = 32;

  private static final String SUCCESS = "Success";
  private static final String UNSCHEDULABLE = "Unschedulable";

  // A clock is used by one attempt at a time, under the lock of the scheduler's state. Scrapes read
  // the counts of all clocks without that lock, hence the concurrent map.
  private final Map<String, RuleClock> clocks = new ConcurrentHashMap<>();
  private final Histogram rules;
  private final Histogram steps;

  RuleMetrics(PrometheusRegistry registry) {
    this.rules =
        SchedulerMetrics.histogram(
            registry,
            "scheduler_plugin_execution_duration_seconds",
            "Time of one rule for one node or group of like nodes, in one attempt out of 32.",
            SchedulerMetrics.buckets(0.000_01, 1.5, 20),
            "plugin",
            "extension_point",
            "status");
    this.steps =
        SchedulerMetrics.histogram(
            registry,
            "scheduler_framework_extension_point_duration_seconds",
            "Time of all rules of a step of an attempt (one attempt out of 32), and of each bind.",
            SchedulerMetrics.buckets(0.000_1, 2, 12),
            "extension_point",
            "status",
            "profile");
    CounterWithCallback.builder()
        .name("scheduler_plugin_evaluation_total")
        .help("How often a rule was asked: for each node or group of like nodes of each attempt.")
        .labelNames("plugin", "extension_point", "profile")
        .callback(this::evaluations)
        .register(registry);
  }

  /// The clock of an attempt that begins; the caller holds the lock of the scheduler's state.
  RuleClock start(String profile) {
    RuleClock clock = clocks.get(profile);
    if (clock == null) {
      clock = new RuleClock(MEASURED_ONE_OUT_OF, this::took);
      clocks.put(profile, clock);
    }
    clock.start();
    return clock;
  }

  private void took(SchedulingRule rule, boolean passed, long nanos) {
    rules
        .labelValues(rule.plugin(), rule.point().label(), passed ? SUCCESS : UNSCHEDULABLE)
        .observe(nanos / 1e9);
  }

  /// Scores run only when a node passed the filters, so that only filters can refuse all nodes.
  void stop(RuleClock clock, String profile, boolean placed) {
    clock
        .stop()
        .forEach(
            (point, nanos) -> {
              boolean failed = point == ExtensionPoint.FILTER && !placed;
              observe(point, failed ? UNSCHEDULABLE : SUCCESS, profile, nanos);
            });
  }

  void bound(String profile, boolean done, long nanos) {
    observe(ExtensionPoint.BIND, done ? SUCCESS : "Error", profile, nanos);
  }

  private void observe(ExtensionPoint point, String status, String profile, long nanos) {
    steps.labelValues(point.label(), status, profile).observe(nanos / 1e9);
  }

  private void evaluations(CounterWithCallback.Callback counter) {
    clocks.forEach(
        (profile, clock) ->
            clock
                .asked()
                .forEach(
                    (rule, count) ->
                        counter.call(count, rule.plugin(), rule.point().label(), profile)));
  }
}
