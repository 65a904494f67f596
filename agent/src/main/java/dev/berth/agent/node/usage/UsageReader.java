package dev.berth.agent.node.usage;

import dev.berth.agent.node.machine.NetworkUse;
import dev.berth.agent.runtimes.RuntimeEndpoint;
import dev.berth.agent.runtimes.Runtimes;
import dev.berth.agent.volumes.DiskUse;
import dev.berth.cri.v1.ContainerFilter;
import dev.berth.cri.v1.ContainerStats;
import dev.berth.cri.v1.ContainerStatsFilter;
import dev.berth.cri.v1.ImageFsInfoResponse;
import dev.berth.cri.v1.LinuxPodSandboxStats;
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
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Asks all runtime services what their containers use.
///
/// @param machine what the machine as a whole uses
public record UsageReader(
    String node, Runtimes runtimes, Supplier<Use> machine, InstantSource clock) {
  private static final Duration LONGEST = Duration.ofSeconds(3);

  /// What a pod uses as a whole, where its service tells.
  ///
  /// @param memory with its sandbox, and with the machine of a pod in a virtual one
  /// @param networks the pod's own, the main one first; none of a pod in the node's network
  public record SandboxUse(long memory, long processes, List<NetworkUse> networks) {
    public SandboxUse {
      networks = List.copyOf(networks);
    }

    static SandboxUse of(PodSandboxStats stats) {
      LinuxPodSandboxStats linux = stats.getLinux();
      NetworkUsage network = linux.getNetwork();
      return new SandboxUse(
          linux.getMemory().getWorkingSetBytes().getValue(),
          linux.getProcess().getProcessCount().getValue(),
          Stream.concat(
                  Stream.of(network.getDefaultInterface()), network.getInterfacesList().stream())
              .filter(one -> !one.getName().isEmpty())
              .map(SandboxUse::network)
              .distinct()
              .toList());
    }

    private static NetworkUse network(NetworkInterfaceUsage one) {
      return new NetworkUse(
          one.getName(),
          one.getRxBytes().getValue(),
          one.getRxErrors().getValue(),
          one.getTxBytes().getValue(),
          one.getTxErrors().getValue());
    }
  }

  /// The numbers of this moment; services that do not answer soon are named, not waited for.
  public NodeUsage read() {
    List<ContainerUse> containers = new ArrayList<>();
    List<String> silent = askServices(UsageReader::ask, containers::addAll);
    return new NodeUsage(node, clock.instant(), machine.get(), containers, silent);
  }

  /// By the pods' UIDs; not all services tell.
  public Map<String, SandboxUse> sandboxes() {
    Map<String, SandboxUse> all = new HashMap<>();
    List<String> _ =
        askServices(
            service ->
                service.runtime().listPodSandboxStats(PodSandboxStatsFilter.getDefaultInstance()),
            some ->
                some.forEach(
                    stats ->
                        all.put(
                            stats.getAttributes().getMetadata().getUid(), SandboxUse.of(stats))));
    return all;
  }

  /// What image services have on their disks; those that do not answer soon are missing.
  List<ImageFsInfoResponse> stores() {
    Map<String, Callable<ImageFsInfoResponse>> questions = new LinkedHashMap<>();
    runtimes
        .imageServices()
        .forEach(service -> questions.put(service.name(), service.client()::imageFsInfo));
    List<ImageFsInfoResponse> answers = new ArrayList<>();
    List<String> _ = askAll(questions, answers::add);
    return answers;
  }

  /// Asks all runtime services at once.
  ///
  /// @return those that did not answer
  private <T> List<String> askServices(
      Function<RuntimeEndpoint, List<T>> question, Consumer<List<T>> answers) {
    Map<String, Callable<List<T>>> questions = new LinkedHashMap<>();
    runtimes
        .runtimeServices()
        .forEach(service -> questions.put(service.name(), () -> question.apply(service)));
    return askAll(questions, answers);
  }

  private static <T> List<String> askAll(Map<String, Callable<T>> questions, Consumer<T> answers) {
    Map<String, Future<T>> asked = new LinkedHashMap<>();
    questions.forEach(
        (service, question) -> {
          FutureTask<T> task = new FutureTask<>(question);
          Thread.ofVirtual().name("usage-of-" + service).start(task);
          asked.put(service, task);
        });
    long end = System.nanoTime() + LONGEST.toNanos();
    List<String> silent = new ArrayList<>();
    asked.forEach(
        (service, answer) -> {
          try {
            answers.accept(answer.get(end - System.nanoTime(), TimeUnit.NANOSECONDS));
          } catch (ExecutionException | TimeoutException _) {
            answer.cancel(true);
            silent.add(service);
          } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            silent.add(service);
          }
        });
    return silent;
  }

  private static List<ContainerUse> ask(RuntimeEndpoint service) {
    Map<String, Instant> madeAt = new HashMap<>();
    service
        .runtime()
        .listContainers(ContainerFilter.getDefaultInstance())
        .forEach(one -> madeAt.put(one.getId(), Instant.ofEpochSecond(0, one.getCreatedAt())));
    return service.runtime().listContainerStats(ContainerStatsFilter.getDefaultInstance()).stream()
        .map(
            stats ->
                use(
                    service.name(),
                    stats,
                    madeAt.getOrDefault(stats.getAttributes().getId(), Instant.EPOCH)))
        .toList();
  }

  private static ContainerUse use(String service, ContainerStats stats, Instant madeAt) {
    Map<String, String> labels = stats.getAttributes().getLabelsMap();
    return new ContainerUse(
        service,
        labels.getOrDefault("io.kubernetes.pod.namespace", ""),
        labels.getOrDefault("io.kubernetes.pod.name", ""),
        labels.getOrDefault("io.kubernetes.pod.uid", ""),
        labels.getOrDefault(
            "io.kubernetes.container.name", stats.getAttributes().getMetadata().getName()),
        new Use(
            stats.getCpu().getUsageCoreNanoSeconds().getValue(),
            stats.getMemory().getWorkingSetBytes().getValue()),
        new DiskUse(
            stats.getWritableLayer().getUsedBytes().getValue(),
            stats.getWritableLayer().getInodesUsed().getValue()),
        madeAt,
        stats.getCpu().getUsageNanoCores().getValue());
  }
}
