package dev.berth.agent.pods.config.linux;

import dev.berth.agent.cgroups.CgroupLimits;
import dev.berth.agent.pods.config.ContainerCapacity;
import dev.berth.agent.pods.config.NodeSettings;
import dev.berth.agent.pods.config.QuantityReader;
import dev.berth.api.pods.ContainerView;
import dev.berth.api.pods.PodResources;
import dev.berth.api.pods.PodView;
import dev.berth.api.pods.QosClass;
import dev.berth.cri.v1.HugepageLimit;
import dev.berth.cri.v1.LinuxContainerResources;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// CPU and memory in the units of Linux control groups.
public final class LinuxResources {
  private static final long PERIOD = CgroupLimits.PERIOD;

  /// The kernel refuses quotas below a millisecond.
  private static final long SMALLEST_QUOTA = 1_000;

  private static final String HUGE_PAGES = "hugepages-";

  /// `memory.oom.group`: a container of which only some processes were killed would keep running
  /// broken.
  private static final Map<String, String> KILLED_TOGETHER = Map.of("memory.oom.group", "1");

  private static final String NODE_CRITICAL = "system-node-critical";

  /// The kubelet's `oom_score_adj` of guaranteed pods: only the runtime (-999) and critical
  /// processes outlive them.
  private static final int GUARANTEED = -997;

  /// The first to be killed when memory is short.
  private static final int BEST_EFFORT = 1000;

  private LinuxResources() {}

  public static LinuxContainerResources of(Pod pod, Container container, NodeSettings node) {
    ResourceRequirements wanted = container.getResources();
    Map<String, Quantity> requests = wanted == null ? null : wanted.getRequests();
    Map<String, Quantity> limits = wanted == null ? null : wanted.getLimits();
    long cpuLimit = QuantityReader.of(limits, "cpu").milli();
    long cpuRequest = QuantityReader.of(requests, "cpu").milli();
    boolean onlyLimited = requests == null || !requests.containsKey("cpu");
    return counted(
            onlyLimited ? cpuLimit : cpuRequest,
            cpuLimit,
            QuantityReader.of(limits, "memory").value())
        .setOomScoreAdj(oomScore(pod, container, node.capacity()))
        .addAllHugepageLimits(hugePages(limits))
        .putAllUnified(node.cgroups().killsTogether() ? KILLED_TOGETHER : Map.of())
        .build();
  }

  /// The kernel's name for a page size, such as `2MB` for `hugepages-2Mi`.
  private static List<HugepageLimit> hugePages(@Nullable Map<String, Quantity> limits) {
    return limits == null
        ? List.of()
        : limits.keySet().stream()
            .filter(name -> name.startsWith(HUGE_PAGES))
            .sorted()
            .map(
                name ->
                    HugepageLimit.newBuilder()
                        .setPageSize(name.substring(HUGE_PAGES.length()).replace("i", "B"))
                        .setLimit(QuantityReader.of(limits, name).value())
                        .build())
            .toList();
  }

  /// The RuntimeClass overhead, for the sandbox itself.
  static LinuxContainerResources overhead(Pod pod) {
    Map<String, Quantity> overhead = pod.getSpec().getOverhead();
    if (overhead == null || overhead.isEmpty()) {
      return LinuxContainerResources.getDefaultInstance();
    }
    long cpu = QuantityReader.of(overhead, "cpu").milli();
    return counted(cpu, cpu, QuantityReader.of(overhead, "memory").value()).build();
  }

  /// The sum of all containers, without overhead. A limit counts only if every container has it.
  static LinuxContainerResources sum(Pod pod) {
    PodView view = PodView.of(pod);
    return counted(
            PodResources.requests(view).orZero("cpu").milli(),
            PodResources.commonLimit(view, "cpu").milli(),
            PodResources.commonLimit(view, "memory").value())
        .build();
  }

  /// The limits of the pod's control group: the pod's own or the sum of its containers, plus
  /// overhead. A limit counts only if the pod or every container has it; only then overhead is
  /// added.
  public static CgroupLimits ofPod(Pod pod) {
    if (QosClass.of(pod) == QosClass.BEST_EFFORT) {
      return CgroupLimits.LEAST;
    }
    PodView view = PodView.of(pod);
    long cpuLimit = PodResources.commonLimit(view, "cpu").milli();
    long memoryLimit = PodResources.commonLimit(view, "memory").value();
    return new CgroupLimits(
        shares(PodResources.requestsWithOverhead(view).orZero("cpu").milli()),
        cpuLimit > 0
            ? quota(cpuLimit + view.overhead().orZero("cpu").milli())
            : CgroupLimits.NO_LIMIT,
        memoryLimit > 0
            ? memoryLimit + view.overhead().orZero("memory").value()
            : CgroupLimits.NO_LIMIT);
  }

  private static LinuxContainerResources.Builder counted(
      long cpuRequest, long cpuLimit, long memoryLimit) {
    LinuxContainerResources.Builder resources =
        LinuxContainerResources.newBuilder()
            .setCpuShares(shares(cpuRequest))
            .setMemoryLimitInBytes(memoryLimit);
    if (cpuLimit > 0) {
      resources.setCpuPeriod(PERIOD).setCpuQuota(quota(cpuLimit));
    }
    return resources;
  }

  static long shares(long cpuMilli) {
    return Math.clamp(
        cpuMilli * 1024 / 1000, CgroupLimits.SMALLEST_SHARES, CgroupLimits.LARGEST_SHARES);
  }

  static long quota(long cpuMilli) {
    return Math.max(SMALLEST_QUOTA, cpuMilli * PERIOD / 1000);
  }

  /// The OOM score: the larger a container's share of the node's memory, the later it is killed. A
  /// sidecar is killed no earlier than the containers it serves, node-critical pods last.
  private static int oomScore(Pod pod, Container container, ContainerCapacity node) {
    if (NODE_CRITICAL.equals(pod.getSpec().getPriorityClassName())) {
      return GUARANTEED;
    }
    return switch (QosClass.of(pod)) {
      case GUARANTEED -> GUARANTEED;
      case BEST_EFFORT -> BEST_EFFORT;
      case BURSTABLE -> {
        long asked = memory(container) + shareOfPod(pod);
        if (ContainerView.isSidecar(container)) {
          long least =
              pod.getSpec().getContainers().stream()
                  .mapToLong(LinuxResources::memory)
                  .min()
                  .orElse(0);
          asked = Math.max(asked, least + shareOfPod(pod));
        }
        long score = node.memoryBytes() == 0 ? 999 : 1000 - 1000 * asked / node.memoryBytes();
        yield Math.clamp(score, 1000 + GUARANTEED, BEST_EFFORT - 1);
      }
    };
  }

  /// The pod-level memory request beyond its containers, divided equally among them.
  private static long shareOfPod(Pod pod) {
    List<Container> all =
        Stream.concat(
                pod.getSpec().getInitContainers().stream().filter(ContainerView::isSidecar),
                pod.getSpec().getContainers().stream())
            .toList();
    long whole = PodView.of(pod).podRequests().orZero("memory").value();
    long rest = whole - all.stream().mapToLong(LinuxResources::memory).sum();
    return rest <= 0 || all.isEmpty() ? 0 : rest / all.size();
  }

  private static long memory(Container container) {
    return ContainerView.of(container).requests().orZero("memory").value();
  }
}
