package dev.berth.sim.service;

import dev.berth.cri.v1.ContainerMetrics;
import dev.berth.cri.v1.ContainerStats;
import dev.berth.cri.v1.ContainerStatsFilter;
import dev.berth.cri.v1.Metric;
import dev.berth.cri.v1.MetricDescriptor;
import dev.berth.cri.v1.MetricType;
import dev.berth.cri.v1.PodSandboxMetrics;
import dev.berth.cri.v1.PodSandboxStats;
import dev.berth.cri.v1.PodSandboxStatsFilter;
import dev.berth.cri.v1.UInt64Value;
import dev.berth.sim.model.UsageStatistics;
import java.util.List;

/// The usage statistics as the runtime's own metrics (`ListPodSandboxMetrics`, KEP-2371). The names
/// are those of cAdvisor's metrics, which these calls are to replace.
final class RuntimeMetrics {
  private static final String CPU = "container_cpu_usage_seconds_total";
  private static final String MEMORY = "container_memory_working_set_bytes";
  private static final long SECOND = 1_000_000_000L;

  static final List<MetricDescriptor> DESCRIPTORS =
      List.of(
          descriptor(CPU, "Processor time used since the start, in seconds."),
          descriptor(MEMORY, "Memory in use that cannot be reclaimed, in bytes."));

  private RuntimeMetrics() {}

  static List<PodSandboxMetrics> of(UsageStatistics statistics) {
    return statistics.sandboxes(PodSandboxStatsFilter.getDefaultInstance()).stream()
        .map(pod -> pod(pod, statistics))
        .toList();
  }

  private static PodSandboxMetrics pod(PodSandboxStats pod, UsageStatistics statistics) {
    String id = pod.getAttributes().getId();
    PodSandboxMetrics.Builder metrics = PodSandboxMetrics.newBuilder().setPodSandboxId(id);
    statistics
        .containers(ContainerStatsFilter.newBuilder().setPodSandboxId(id).build())
        .forEach(container -> metrics.addContainerMetrics(container(container)));
    return metrics.build();
  }

  private static ContainerMetrics container(ContainerStats stats) {
    String id = stats.getAttributes().getId();
    String name = stats.getAttributes().getMetadata().getName();
    // The message has whole numbers only.
    long seconds = stats.getCpu().getUsageCoreNanoSeconds().getValue() / SECOND;
    long memory = stats.getMemory().getWorkingSetBytes().getValue();
    long now = stats.getCpu().getTimestamp();
    return ContainerMetrics.newBuilder()
        .setContainerId(id)
        .addMetrics(metric(CPU, MetricType.COUNTER, now, seconds, id, name))
        .addMetrics(metric(MEMORY, MetricType.GAUGE, now, memory, id, name))
        .build();
  }

  private static MetricDescriptor descriptor(String name, String help) {
    return MetricDescriptor.newBuilder()
        .setName(name)
        .setHelp(help)
        .addAllLabelKeys(List.of("id", "name"))
        .build();
  }

  private static Metric metric(
      String name, MetricType type, long now, long value, String id, String container) {
    return Metric.newBuilder()
        .setName(name)
        .setTimestamp(now)
        .setMetricType(type)
        .addAllLabelValues(List.of(id, container))
        .setValue(UInt64Value.newBuilder().setValue(value))
        .build();
  }
}
