package dev.berth.agent.pods.config;

import dev.berth.cri.v1.WindowsContainerResources;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.Map;

/// CPU and memory as Windows counts them.
///
/// A limit is a share of all processors in hundredths of a percent. The count and the weight of the
/// first design stay unset: runtimes refuse a weight beside a maximum, and a count alone rounds up.
final class WindowsResources {
  private static final long ALL = 10_000;

  private WindowsResources() {}

  static WindowsContainerResources of(Container container, NodeCapacity node) {
    ResourceRequirements wanted = container.getResources();
    Map<String, Quantity> limits = wanted == null ? null : wanted.getLimits();
    long cpu = Amounts.of(limits, "cpu").milli();
    WindowsContainerResources.Builder resources =
        WindowsContainerResources.newBuilder()
            .setMemoryLimitInBytes(Amounts.of(limits, "memory").value());
    if (cpu > 0) {
      resources.setCpuMaximum(maximum(cpu, node.cpuMilli() / 1000));
    }
    return resources.build();
  }

  /// The part of all processors that so many thousandths of one are; never nothing.
  static long maximum(long cpuMilli, long processors) {
    return Math.clamp(10 * cpuMilli / Math.max(1, processors), 1, ALL);
  }
}
