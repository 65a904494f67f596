package dev.berth.vm.service;

import dev.berth.cri.serving.CallRefusal;
import dev.berth.cri.v1.ContainerStats;
import dev.berth.cri.v1.ContainerStatsFilter;
import dev.berth.cri.v1.ContainerStatsRequest;
import dev.berth.cri.v1.ContainerStatsResponse;
import dev.berth.cri.v1.PodSandboxStats;
import dev.berth.cri.v1.PodSandboxStatsFilter;
import dev.berth.cri.v1.PodSandboxStatsRequest;
import dev.berth.cri.v1.PodSandboxStatsResponse;
import dev.berth.vm.pods.LiveContainer;
import dev.berth.vm.pods.LivePod;
import dev.berth.vm.pods.PodUsage;
import dev.berth.vm.pods.PodUsage.UsageSample;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// `ContainerStats`, `PodSandboxStats` and their lists. As with containerd, lists leave out what
/// does not run, and a request for a single one that does not run fails.
final class UsageVerbs {
  private final FoundPods found;
  private final PodLists lists;
  private final PodUsage usage;
  private final UsageMessages messages;

  UsageVerbs(FoundPods found, PodLists lists, PodUsage usage, UsageMessages messages) {
    this.found = found;
    this.lists = lists;
    this.usage = usage;
    this.messages = messages;
  }

  ContainerStatsResponse container(ContainerStatsRequest request) {
    LiveContainer container = found.container(request.getContainerId(), "failed to find container");
    return Optional.ofNullable(usage.of(List.of(container.pod())).get(container.pod().id()))
        .filter(_ -> container.record().isRunning())
        .flatMap(sample -> messages.container(container, sample))
        .map(stats -> ContainerStatsResponse.newBuilder().setStats(stats).build())
        .orElseThrow(() -> CallRefusal.unknown("unexpected metrics response: []"));
  }

  List<ContainerStats> containers(ContainerStatsFilter filter) {
    List<LiveContainer> running =
        lists
            .containers(filter.getId(), filter.getPodSandboxId(), filter.getLabelSelectorMap())
            .filter(container -> container.record().isRunning())
            .toList();
    Map<String, UsageSample> samples =
        usage.of(running.stream().map(LiveContainer::pod).distinct().toList());
    return running.stream().flatMap(container -> message(container, samples).stream()).toList();
  }

  private Optional<ContainerStats> message(
      LiveContainer container, Map<String, UsageSample> samples) {
    return Optional.ofNullable(samples.get(container.pod().id()))
        .flatMap(sample -> messages.container(container, sample));
  }

  PodSandboxStatsResponse sandbox(PodSandboxStatsRequest request) {
    String id = request.getPodSandboxId();
    LivePod pod = found.pod(id, "an error occurred when trying to find sandbox " + id);
    UsageSample sample = usage.of(List.of(pod)).get(pod.id());
    if (sample == null) {
      throw CallRefusal.unknown(
          "failed to decode sandbox container metrics for sandbox \"%s\": sandbox is not running"
              .formatted(pod.id()));
    }
    return PodSandboxStatsResponse.newBuilder().setStats(messages.pod(pod, sample)).build();
  }

  List<PodSandboxStats> sandboxes(PodSandboxStatsFilter filter) {
    Stream<LivePod> pods = lists.pods(filter.getId(), filter.getLabelSelectorMap());
    List<LivePod> ready = pods.filter(pod -> pod.record().isReady()).toList();
    Map<String, UsageSample> samples = usage.of(ready);
    List<PodSandboxStats> stats = new ArrayList<>();
    for (LivePod pod : ready) {
      UsageSample sample = samples.get(pod.id());
      if (sample != null) {
        stats.add(messages.pod(pod, sample));
      }
    }
    return stats;
  }
}
