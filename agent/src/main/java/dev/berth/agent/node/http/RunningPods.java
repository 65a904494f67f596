package dev.berth.agent.node.http;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Lists running containers in the short form of the kubelet's `/runningpods/`.
final class RunningPods {
  private RunningPods() {}

  static List<Pod> of(List<Pod> pods) {
    return pods.stream()
        .map(RunningPods::running)
        .filter(pod -> !pod.getSpec().getContainers().isEmpty())
        .toList();
  }

  private static Pod running(Pod pod) {
    Set<String> names = names(pod.getStatus());
    List<Container> containers =
        Stream.concat(
                pod.getSpec().getInitContainers().stream(), pod.getSpec().getContainers().stream())
            .filter(one -> names.contains(one.getName()))
            .toList();
    return new PodBuilder()
        .withNewMetadata()
        .withName(pod.getMetadata().getName())
        .withNamespace(pod.getMetadata().getNamespace())
        .withUid(pod.getMetadata().getUid())
        .endMetadata()
        .withNewSpec()
        .withContainers(
            containers.stream()
                .map(
                    one -> {
                      Container brief = new Container();
                      brief.setName(one.getName());
                      brief.setImage(one.getImage());
                      return brief;
                    })
                .toList())
        .endSpec()
        .build();
  }

  private static Set<String> names(PodStatus status) {
    return Stream.concat(
            status.getInitContainerStatuses().stream(), status.getContainerStatuses().stream())
        .filter(one -> one.getState() != null && one.getState().getRunning() != null)
        .map(ContainerStatus::getName)
        .collect(Collectors.toSet());
  }
}
