package dev.berth.agent.pods.config.windows;

import dev.berth.agent.pods.config.ContainerCapacity;
import dev.berth.agent.pods.config.QuantityReader;
import dev.berth.agent.runtimes.registration.HandlerIsolation;
import dev.berth.agent.runtimes.registration.ServiceHandler;
import dev.berth.cri.v1.WindowsContainerResources;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// CPU and memory in the units of Windows.
public record WindowsResources(WindowsProcessors processors, ContainerCapacity node) {
  private static final String ISOLATION = "experimental.windows.kubernetes.io/isolation-type";

  /// `cpu_maximum` counts in ten-thousandths of all processors.
  private static final long ALL = 10_000;

  public WindowsContainerResources of(Pod pod, Container container, ServiceHandler handler) {
    ResourceRequirements wanted = container.getResources();
    Map<String, Quantity> limits = wanted == null ? null : wanted.getLimits();
    Map<String, Quantity> requests = wanted == null ? null : wanted.getRequests();
    long limit = QuantityReader.of(limits, "cpu").milli();
    WindowsContainerResources.Builder resources =
        WindowsContainerResources.newBuilder()
            .setMemoryLimitInBytes(QuantityReader.of(limits, "memory").value())
            .addAllAffinityCpus(ProcessorAffinity.of(pod, machine(), isHyperV(pod, handler)));
    switch (processors) {
      case ALL_CONTROLS -> {
        long weighed = limit > 0 ? limit : QuantityReader.of(requests, "cpu").milli();
        long count = count(limit);
        resources
            .setCpuCount(count)
            .setCpuShares(part(weighed, machine()))
            .setCpuMaximum(part(limit, isHyperV(pod, handler) ? count : machine()));
      }
      case MAXIMUM_ONLY -> resources.setCpuMaximum(part(limit, machine()));
    }
    return resources.build();
  }

  /// For people: which fields of CRI carry a limit of CPU, and in which isolation.
  String controls(Pod pod, ServiceHandler handler) {
    String cpus = ProcessorAffinity.text(pod);
    String isolation =
        (isHyperV(pod, handler) ? "Hyper-V isolation" : "process isolation")
            + (cpus.isEmpty() ? "" : ", affinity_cpus " + cpus);
    return switch (processors) {
      case ALL_CONTROLS ->
          "cpu_count, cpu_shares and cpu_maximum (--windows-processors=all), " + isolation;
      case MAXIMUM_ONLY -> "cpu_maximum (--windows-processors=maximum), " + isolation;
    };
  }

  private long machine() {
    return Math.max(1, node.cpuMilli() / 1000);
  }

  /// The processor count is the limit rounded up, which the maximum then narrows; at most the
  /// number of processors.
  private long count(long limitMilli) {
    return limitMilli <= 0 ? 0 : Math.min((limitMilli + 1000) / 1000, machine());
  }

  /// The share of the processors in hundredths of a percent; zero for no limit, otherwise at least
  /// 1.
  private static long part(long milli, long processors) {
    return milli <= 0 ? 0 : Math.clamp(10 * milli / processors, 1, ALL);
  }

  /// Isolation comes from the runtime's options or the registration, else from the old annotation;
  /// a handler's name says nothing about it.
  private static boolean isHyperV(Pod pod, ServiceHandler handler) {
    @Nullable Map<String, String> annotations = pod.getMetadata().getAnnotations();
    return handler.isolation() == HandlerIsolation.HYPERV
        || (annotations != null && "hyperv".equals(annotations.get(ISOLATION)));
  }
}
