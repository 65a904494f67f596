package dev.berth.agent.pods;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

/// What is counted about pods, by the kubelet's names.
public final class PodMetrics {
  private final Counter evictions;

  public PodMetrics(PrometheusRegistry registry) {
    this.evictions =
        Counter.builder()
            .name("kubelet_evictions")
            .help("Pods evicted, by what they or the node ran short of.")
            .labelNames("eviction_signal")
            .register(registry);
  }

  /// @param signal such as `memory.available`
  void evicted(String signal) {
    evictions.labelValues(signal).inc();
  }
}
