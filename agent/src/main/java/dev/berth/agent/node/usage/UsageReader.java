package dev.berth.agent.node.usage;

import dev.berth.agent.runtimes.RuntimeEndpoint;
import dev.berth.agent.runtimes.Runtimes;
import dev.berth.agent.volumes.DiskUse;
import dev.berth.cri.v1.ContainerFilter;
import dev.berth.cri.v1.ContainerStats;
import dev.berth.cri.v1.ContainerStatsFilter;
import dev.berth.cri.v1.PodSandboxStatsFilter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/// Asks all runtime services what their containers use.
///
/// @param machine what the machine as a whole uses
public record UsageReader(
    String node, Runtimes runtimes, Supplier<Use> machine, InstantSource clock) {
  private static final Duration LONGEST = Duration.ofSeconds(3);

  /// What a pod uses as a whole, where its service tells.
  ///
  /// @param memory with its sandbox, and with the machine of a pod in a virtual one
  public record SandboxUse(long memory, long processes) {}

  /// The numbers of this moment; services that do not answer soon are named, not waited for.
  public NodeUsage read() {
    List<ContainerUse> containers = new ArrayList<>();
    List<String> silent = askAll(UsageReader::ask, containers::addAll);
    return new NodeUsage(node, clock.instant(), machine.get(), containers, silent);
  }

  /// By the pods' UIDs; not all services tell.
  public Map<String, SandboxUse> sandboxes() {
    Map<String, SandboxUse> all = new HashMap<>();
    List<String> _ =
        askAll(
            service ->
                service.runtime().listPodSandboxStats(PodSandboxStatsFilter.getDefaultInstance()),
            some ->
                some.forEach(
                    stats ->
                        all.put(
                            stats.getAttributes().getMetadata().getUid(),
                            new SandboxUse(
                                stats.getLinux().getMemory().getWorkingSetBytes().getValue(),
                                stats.getLinux().getProcess().getProcessCount().getValue()))));
    return all;
  }

  /// Asks all services at once.
  ///
  /// @return those that did not answer
  private <T> List<String> askAll(
      Function<RuntimeEndpoint, List<T>> question, Consumer<List<T>> answers) {
    Map<String, Future<List<T>>> asked = new LinkedHashMap<>();
    for (RuntimeEndpoint service : runtimes.runtimeServices()) {
      FutureTask<List<T>> task = new FutureTask<>(() -> question.apply(service));
      Thread.ofVirtual().name("usage-of-" + service.name()).start(task);
      asked.put(service.name(), task);
    }
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
