package dev.berth.agent.usage;

import dev.berth.agent.files.DiskUsage;
import dev.berth.agent.runtimes.RuntimeEndpoint;
import dev.berth.agent.runtimes.RuntimeServices;
import dev.berth.agent.runtimes.ServiceQueries;
import dev.berth.agent.runtimes.ServiceQueries.Answer;
import dev.berth.cri.v1.ContainerFilter;
import dev.berth.cri.v1.ContainerState;
import dev.berth.cri.v1.ContainerStats;
import dev.berth.cri.v1.ContainerStatsFilter;
import dev.berth.cri.v1.ImageFsInfoResponse;
import dev.berth.cri.v1.LinuxPodSandboxStats;
import dev.berth.cri.v1.MemoryUsage;
import dev.berth.cri.v1.NetworkInterfaceUsage;
import dev.berth.cri.v1.NetworkUsage;
import dev.berth.cri.v1.PodSandboxStats;
import dev.berth.cri.v1.PodSandboxStatsFilter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Reads the usage of this node's pods from all runtime services. Other agents or kubelets may use
/// the same services: their pods count only in the usage of the whole machine.
///
/// @param machine reads the usage of the whole machine
public record UsageReader(
    String node, RuntimeServices runtimes, Supplier<ResourceUsage> machine, InstantSource clock) {
  /// A service that hangs must not delay the figures of the others; its pods are missing in this
  /// answer.
  private static final Duration LONGEST = Duration.ofSeconds(3);

  /// The usage of a whole pod, where its service reports it.
  ///
  /// @param cpu processor time in nanoseconds; 0 where the service does not report it
  /// @param memory with the sandbox, and with the virtual machine of a pod in one
  /// @param networks the pod's own, the main one first; empty for a pod in the host's network
  public record SandboxUse(
      long cpu, long memory, long processes, List<InterfaceCounters> networks) {
    public SandboxUse {
      networks = List.copyOf(networks);
    }

    static SandboxUse of(PodSandboxStats stats) {
      LinuxPodSandboxStats linux = stats.getLinux();
      NetworkUsage network = linux.getNetwork();
      return new SandboxUse(
          linux.getCpu().getUsageCoreNanoSeconds().getValue(),
          linux.getMemory().getWorkingSetBytes().getValue(),
          linux.getProcess().getProcessCount().getValue(),
          Stream.concat(
                  Stream.of(network.getDefaultInterface()), network.getInterfacesList().stream())
              .filter(one -> !one.getName().isEmpty())
              .map(SandboxUse::network)
              .distinct()
              .toList());
    }

    private static InterfaceCounters network(NetworkInterfaceUsage one) {
      return new InterfaceCounters(
          one.getName(),
          one.getRxBytes().getValue(),
          one.getRxErrors().getValue(),
          one.getTxBytes().getValue(),
          one.getTxErrors().getValue());
    }
  }

  /// All answers of the services at one moment.
  ///
  /// @param sandboxes by pod UID; not all services report them
  /// @param stores disk usage of image services
  public record Everything(
      NodeUsage usage, Map<String, SandboxUse> sandboxes, List<ImageFsInfoResponse> stores) {
    public Everything {
      sandboxes = Map.copyOf(sandboxes);
      stores = List.copyOf(stores);
    }
  }

  /// Reads the current usage. Services that do not answer in time are named, not waited for.
  public NodeUsage read() {
    return usage(askServices(new ServiceQueries(runtimes, LONGEST), UsageReader::ask));
  }

  /// Reads everything in parallel: a timeout costs its time once.
  public Everything readAll() {
    ServiceQueries inquiry = new ServiceQueries(runtimes, LONGEST);
    var containers = askServices(inquiry, UsageReader::ask);
    var sandboxes =
        askServices(
            inquiry,
            service ->
                service.runtime().listPodSandboxStats(PodSandboxStatsFilter.getDefaultInstance()));
    List<Supplier<Answer<ImageFsInfoResponse>>> stores =
        runtimes.imageServices().stream()
            .map(service -> inquiry.ask(service, service.client()::imageFsInfo))
            .toList();
    Map<String, SandboxUse> byPod = new HashMap<>();
    sandboxes
        .values()
        .forEach(
            answer ->
                given(answer)
                    .forEach(
                        some ->
                            some.forEach(
                                stats ->
                                    byPod.put(
                                        stats.getAttributes().getMetadata().getUid(),
                                        SandboxUse.of(stats)))));
    return new Everything(
        usage(containers), byPod, stores.stream().flatMap(UsageReader::given).toList());
  }

  private NodeUsage usage(Map<String, Supplier<Answer<List<ContainerUsage>>>> asked) {
    List<ContainerUsage> containers = new ArrayList<>();
    List<String> silent = new ArrayList<>();
    asked.forEach(
        (service, answer) -> {
          switch (answer.get()) {
            case Answer.Given<List<ContainerUsage>>(var some) -> containers.addAll(some);
            case Answer.Missing<List<ContainerUsage>> _ -> silent.add(service);
          }
        });
    Set<String> own = runtimes.boundPods();
    containers.removeIf(one -> !own.contains(one.podUid()));
    return new NodeUsage(node, clock.instant(), machine.get(), containers, silent);
  }

  private <T> Map<String, Supplier<Answer<List<T>>>> askServices(
      ServiceQueries inquiry, Function<RuntimeEndpoint, List<T>> question) {
    Map<String, Supplier<Answer<List<T>>>> asked = new LinkedHashMap<>();
    runtimes
        .runtimeServices()
        .forEach(
            service ->
                asked.put(service.name(), inquiry.ask(service, () -> question.apply(service))));
    return asked;
  }

  private static <T> Stream<T> given(Supplier<Answer<T>> answer) {
    return answer.get() instanceof Answer.Given<T>(T value) ? Stream.of(value) : Stream.empty();
  }

  /// Runtimes report exited containers and every instance; only running ones count, and the newest
  /// instance of each.
  private static List<ContainerUsage> ask(RuntimeEndpoint service) {
    Map<String, Instant> running = new HashMap<>();
    service.runtime().listContainers(ContainerFilter.getDefaultInstance()).stream()
        .filter(one -> one.getState() == ContainerState.CONTAINER_RUNNING)
        .forEach(one -> running.put(one.getId(), Instant.ofEpochSecond(0, one.getCreatedAt())));
    Map<List<String>, ContainerUsage> newest = new LinkedHashMap<>();
    for (ContainerStats stats :
        service.runtime().listContainerStats(ContainerStatsFilter.getDefaultInstance())) {
      Instant madeAt = running.get(stats.getAttributes().getId());
      if (madeAt != null) {
        ContainerUsage one = use(service.name(), stats, madeAt);
        newest.merge(
            List.of(one.podUid(), one.container()),
            one,
            (a, b) -> a.madeAt().isAfter(b.madeAt()) ? a : b);
      }
    }
    return List.copyOf(newest.values());
  }

  private static ContainerUsage use(String service, ContainerStats stats, Instant madeAt) {
    Map<String, String> labels = stats.getAttributes().getLabelsMap();
    return new ContainerUsage(
        service,
        labels.getOrDefault("io.kubernetes.pod.namespace", ""),
        labels.getOrDefault("io.kubernetes.pod.name", ""),
        labels.getOrDefault("io.kubernetes.pod.uid", ""),
        labels.getOrDefault(
            "io.kubernetes.container.name", stats.getAttributes().getMetadata().getName()),
        new ResourceUsage(
            stats.getCpu().getUsageCoreNanoSeconds().getValue(),
            stats.getMemory().getWorkingSetBytes().getValue(),
            details(stats.getMemory())),
        new DiskUsage(
            stats.getWritableLayer().getUsedBytes().getValue(),
            stats.getWritableLayer().getInodesUsed().getValue()),
        madeAt,
        stats.getCpu().getUsageNanoCores().getValue());
  }

  /// Older runtimes report only the working set.
  private static MemoryDetails details(MemoryUsage memory) {
    return memory.hasUsageBytes() && memory.hasRssBytes()
        ? new MemoryDetails(
            memory.getUsageBytes().getValue(),
            memory.getRssBytes().getValue(),
            memory.getPageFaults().getValue(),
            memory.getMajorPageFaults().getValue())
        : MemoryDetails.UNKNOWN;
  }
}
