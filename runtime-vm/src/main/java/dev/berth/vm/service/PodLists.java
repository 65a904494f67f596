package dev.berth.vm.service;

import dev.berth.cri.v1.Container;
import dev.berth.cri.v1.ContainerFilter;
import dev.berth.cri.v1.ContainerStatusRequest;
import dev.berth.cri.v1.ContainerStatusResponse;
import dev.berth.cri.v1.PodSandbox;
import dev.berth.cri.v1.PodSandboxFilter;
import dev.berth.cri.v1.PodSandboxStatusRequest;
import dev.berth.cri.v1.PodSandboxStatusResponse;
import dev.berth.vm.pods.LiveContainer;
import dev.berth.vm.pods.LivePod;
import dev.berth.vm.pods.PodViews;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// `ListPodSandbox`, `ListContainers`, `PodSandboxStatus`, `ContainerStatus` and their streams:
/// what is known, without a question to any guest. Conditions of a filter are combined with "and".
final class PodLists {
  private final FoundPods found;

  PodLists(FoundPods found) {
    this.found = found;
  }

  List<PodSandbox> sandboxes(PodSandboxFilter filter) {
    return pods(filter.getId(), filter.getLabelSelectorMap())
        .map(LivePod::record)
        .filter(
            record -> !filter.hasState() || PodViews.state(record) == filter.getState().getState())
        .map(PodViews::item)
        .toList();
  }

  Stream<LivePod> pods(String id, Map<String, String> labels) {
    return found.inventory().pods(id).stream()
        .filter(pod -> fits(labels, pod.record().config().getLabelsMap()));
  }

  List<Container> containers(ContainerFilter filter) {
    return containers(filter.getId(), filter.getPodSandboxId(), filter.getLabelSelectorMap())
        .map(LiveContainer::record)
        .filter(
            record -> !filter.hasState() || PodViews.state(record) == filter.getState().getState())
        .map(PodViews::item)
        .toList();
  }

  Stream<LiveContainer> containers(String id, String sandbox, Map<String, String> labels) {
    List<LivePod> pods = sandbox.isEmpty() ? List.of() : found.inventory().pods(sandbox);
    return found.inventory().containers(id).stream()
        .filter(container -> sandbox.isEmpty() || pods.contains(container.pod()))
        .filter(container -> fits(labels, container.record().config().getLabelsMap()));
  }

  private static boolean fits(Map<String, String> selector, Map<String, String> labels) {
    return selector.entrySet().stream()
        .allMatch(wanted -> wanted.getValue().equals(labels.get(wanted.getKey())));
  }

  /// The status of a sandbox has its containers and a time (KEP-3386): an agent that gets events
  /// needs all of it from one moment.
  PodSandboxStatusResponse sandbox(PodSandboxStatusRequest request) {
    LivePod pod =
        found.pod(request.getPodSandboxId(), "an error occurred when try to find sandbox");
    PodSandboxStatusResponse.Builder response =
        PodSandboxStatusResponse.newBuilder()
            .setStatus(PodViews.status(pod.record()))
            .addAllContainersStatuses(PodViews.statuses(pod))
            .setTimestamp(found.inventory().now());
    if (request.getVerbose()) {
      response.putInfo("info", VerboseInfo.of(pod));
    }
    return response.build();
  }

  ContainerStatusResponse container(ContainerStatusRequest request) {
    LiveContainer container = found.container(request.getContainerId());
    ContainerStatusResponse.Builder response =
        ContainerStatusResponse.newBuilder().setStatus(PodViews.status(container.record()));
    if (request.getVerbose()) {
      response.putInfo("info", VerboseInfo.of(container));
    }
    return response.build();
  }
}
