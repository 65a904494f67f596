package dev.berth.scheduler;

import dev.berth.scheduler.cluster.ClusterState;
import dev.berth.scheduler.cluster.NodeShape;
import dev.berth.scheduler.model.ReportedRuntimes;
import dev.berth.scheduler.model.RuntimeClassInfo;
import dev.berth.scheduler.queue.SchedulingQueue;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Gauges that read the scheduler's state on every scrape; a process that has never been the leader
/// shows none.
final class ClusterGauges {
  // Written by the thread that wins the leader election, read by threads that scrape. The last
  // state stays after leadership is lost: a former leader shows its last values until it leads
  // again.
  private volatile @Nullable SchedulingState state;

  ClusterGauges(PrometheusRegistry registry) {
    registerUpstreams(registry);
    registerRuntimes(registry);
  }

  private void registerUpstreams(PrometheusRegistry registry) {
    register(
        registry,
        "scheduler_pending_pods",
        "Pods that wait, by part of the queue.",
        (shown, gauge) -> pending(shown.sizes(), gauge),
        "queue");
    register(
        registry,
        "scheduler_unschedulable_pods",
        "Pods that wait because a rule refused nodes in their last attempt; one may count for many.",
        (shown, gauge) ->
            shown
                .refusedPods()
                .forEach(
                    (profile, plugins) ->
                        plugins.forEach((plugin, pods) -> gauge.call(pods, plugin, profile))),
        "plugin",
        "profile");
    // Upstream's name before and since 1.33; dashboards use either.
    for (String name : List.of("scheduler_scheduler_cache_size", "scheduler_cache_size")) {
      register(
          registry,
          name,
          "Nodes, pods and assumed pods that the scheduler knows.",
          ClusterGauges::cacheSize,
          "type");
    }
  }

  private void registerRuntimes(PrometheusRegistry registry) {
    register(
        registry,
        "berth_scheduler_runtimes",
        "Different runtime handlers that the nodes of the cluster offer.",
        (shown, gauge) -> gauge.call(shown.read(cluster -> cluster.handlers().size())));
    register(
        registry,
        "berth_scheduler_runtime_nodes",
        "Nodes that offer a runtime handler, by state: offering, ready.",
        (shown, gauge) ->
            shown
                .read(ClusterState::handlers)
                .forEach(handler -> nodes(shown, new RuntimeClassInfo(handler, handler), gauge)),
        "handler",
        "state");
    register(
        registry,
        "berth_scheduler_nodes_by_runtimes",
        "Nodes by how many runtime services they report.",
        (shown, gauge) ->
            shown
                .read(ClusterGauges::byServices)
                .forEach((services, nodes) -> gauge.call(nodes, Integer.toString(services))),
        "runtimes");
    register(
        registry,
        "berth_scheduler_runtime_class_nodes",
        "Nodes that a RuntimeClass selects and that offer its handler, by state: offering, ready.",
        (shown, gauge) ->
            shown
                .read(cluster -> List.copyOf(cluster.classes()))
                .forEach(one -> nodes(shown, one, gauge)),
        "runtime_class",
        "state");
  }

  /// Sets one value of a gauge.
  private interface Setter {
    void call(double value, String... labels);
  }

  private interface Reading {
    void read(SchedulingState state, Setter gauge);
  }

  private void register(
      PrometheusRegistry registry, String name, String help, Reading reading, String... labels) {
    Consumer<GaugeWithCallback.Callback> callback =
        gauge -> {
          SchedulingState shown = state;
          if (shown != null) {
            reading.read(shown, gauge::call);
          }
        };
    GaugeWithCallback.builder()
        .name(name)
        .help(help)
        .labelNames(labels)
        .callback(callback)
        .register(registry);
  }

  void show(SchedulingState shown) {
    state = shown;
  }

  private static void cacheSize(SchedulingState shown, Setter gauge) {
    gauge.call(shown.read(ClusterState::size), "nodes");
    gauge.call(shown.read(ClusterState::podCount), "pods");
    gauge.call(shown.assumedCount(), "assumed_pods");
  }

  private static void pending(SchedulingQueue.Sizes sizes, Setter gauge) {
    gauge.call(sizes.active(), "active");
    gauge.call(sizes.backoff(), "backoff");
    gauge.call(sizes.unschedulable(), "unschedulable");
    gauge.call(sizes.gated(), "gated");
  }

  // The sums go over shapes, not over nodes: a scrape of ten thousand like nodes takes the lock of
  // the scheduler for a few steps only.
  private static void nodes(SchedulingState shown, RuntimeClassInfo one, Setter gauge) {
    int offering = shown.read(cluster -> count(cluster, one, r -> r.offers(one.handler())));
    int ready = shown.read(cluster -> count(cluster, one, r -> r.offersReady(one.handler())));
    gauge.call(offering, one.name(), "offering");
    gauge.call(ready, one.name(), "ready");
  }

  private static int count(
      ClusterState cluster, RuntimeClassInfo one, Predicate<ReportedRuntimes> which) {
    return cluster.shapes().stream()
        .filter(shape -> one.selects(shape.example()))
        .filter(shape -> which.test(shape.traits().runtimes()))
        .mapToInt(NodeShape::size)
        .sum();
  }

  private static Map<Integer, Integer> byServices(ClusterState cluster) {
    Map<Integer, Integer> nodes = new TreeMap<>();
    for (NodeShape shape : cluster.shapes()) {
      nodes.merge(shape.traits().runtimes().services().size(), shape.size(), Integer::sum);
    }
    return nodes;
  }
}
