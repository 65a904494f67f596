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

/// CPU and memory as Windows counts them.
public record WindowsResources(WindowsProcessors processors, ContainerCapacity node) {
  private static final String ISOLATION = "experimental.windows.kubernetes.io/isolation-type";
  private static final long ALL = 10_000;

  public WindowsContainerResources of(Pod pod, Container container, ServiceHandler handler) {
    ResourceRequirements wanted = container.getResources();
    Map<String, Quantity> limits = wanted == null ? null : wanted.getLimits();
    Map<String, Quantity> requests = wanted == null ? null : wanted.getRequests();
    long limit = QuantityReader.of(limits, "cpu").milli();
    WindowsContainerResources.Builder resources =
        WindowsContainerResources.newBuilder()
            .setMemoryLimitInBytes(QuantityReader.of(limits, "memory").value());
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

  private long machine() {
    return Math.max(1, node.cpuMilli() / 1000);
  }

  /// Always room above the limit, which the maximum then cuts off; but no more than there are.
  private long count(long limitMilli) {
    return limitMilli <= 0 ? 0 : Math.min((limitMilli + 1000) / 1000, machine());
  }

  /// Which part of so many processors the thousandths of one are, in hundredths of a percent; zero
  /// for none, else never nothing.
  private static long part(long milli, long processors) {
    return milli <= 0 ? 0 : Math.clamp(10 * milli / processors, 1, ALL);
  }

  /// As the runtime's options or the registration say, or the annotation of the time before
  /// classes; the name of a handler says nothing.
  private static boolean isHyperV(Pod pod, ServiceHandler handler) {
    @Nullable Map<String, String> annotations = pod.getMetadata().getAnnotations();
    return handler.isolation() == HandlerIsolation.HYPERV
        || (annotations != null && "hyperv".equals(annotations.get(ISOLATION)));
  }
}
