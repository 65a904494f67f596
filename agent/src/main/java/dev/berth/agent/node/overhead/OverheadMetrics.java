package dev.berth.agent.node.overhead;

import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.List;
import java.util.function.Supplier;

/// Metrics about the measured overhead of sandboxes.
public final class OverheadMetrics {
  private static final String HANDLER = "handler";

  private OverheadMetrics() {}

  public static void register(PrometheusRegistry registry, Supplier<List<SandboxOverhead>> cost) {
    GaugeWithCallback.builder()
        .name("berth_sandbox_overhead_memory_bytes")
        .help("Median memory of a sandbox beyond its containers.")
        .labelNames(HANDLER)
        .callback(
            gauge ->
                cost.get().forEach(one -> gauge.call((double) one.memoryBytes(), one.handler())))
        .register(registry);
    GaugeWithCallback.builder()
        .name("berth_sandbox_overhead_cpu_cores")
        .help("Median processor time per second of a sandbox beyond its containers.")
        .labelNames(HANDLER)
        .callback(
            gauge ->
                cost.get()
                    .forEach(
                        one ->
                            one.milliCores()
                                .ifPresent(milli -> gauge.call(milli / 1e3, one.handler()))))
        .register(registry);
    GaugeWithCallback.builder()
        .name("berth_sandbox_overhead_pods")
        .help("Sandboxes whose overhead was measured.")
        .labelNames(HANDLER)
        .callback(gauge -> cost.get().forEach(one -> gauge.call(one.pods(), one.handler())))
        .register(registry);
  }
}
