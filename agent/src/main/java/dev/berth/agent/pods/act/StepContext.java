package dev.berth.agent.pods.act;

import dev.berth.agent.images.ImageDescription;
import dev.berth.agent.pods.config.NodeSettings;
import dev.berth.agent.pods.observed.ObservedPod;
import dev.berth.agent.pods.observed.ObservedSandbox;
import dev.berth.agent.pods.observed.ServiceObserver;
import dev.berth.agent.pods.plan.PodStep;
import dev.berth.agent.runtimes.RuntimeEndpoint;
import dev.berth.agent.runtimes.registration.ServiceHandler;
import dev.berth.cri.RuntimeClient;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EphemeralContainer;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// A pod, its service and its observed state at the moment a step starts.
///
/// @param handler the handler of its sandboxes
/// @param images the images that were pulled or found, by container
public record StepContext(
    Pod pod,
    RuntimeEndpoint service,
    String handler,
    ServiceObserver observer,
    ObservedPod observed,
    Map<String, ImageDescription> images) {
  public StepContext {
    images = Map.copyOf(images);
  }

  public String uid() {
    return pod.getMetadata().getUid();
  }

  RuntimeClient runtime() {
    return service.runtime();
  }

  /// The features of the handler.
  ServiceHandler handlerFacts() {
    return service
        .discovered()
        .flatMap(discovered -> discovered.handlers().find(handler))
        .orElseGet(() -> ServiceHandler.named(handler));
  }

  /// The addresses at which containers are probed: those of the sandbox, or of the node for a pod
  /// in the host network.
  public List<String> addresses(NodeSettings node) {
    return Boolean.TRUE.equals(pod.getSpec().getHostNetwork())
        ? node.addresses()
        : observed.usableSandbox().map(ObservedSandbox::addresses).orElse(List.of());
  }

  /// The specification of a container of any type; empty when the pod has none of that name.
  Optional<Container> container(String name) {
    return Stream.concat(
            Stream.concat(
                pod.getSpec().getInitContainers().stream(), pod.getSpec().getContainers().stream()),
            pod.getSpec().getEphemeralContainers().stream().map(StepContext::plain))
        .filter(container -> container.getName().equals(name))
        .findFirst();
  }

  Optional<EphemeralContainer> ephemeral(String name) {
    return pod.getSpec().getEphemeralContainers().stream()
        .filter(container -> container.getName().equals(name))
        .findFirst();
  }

  /// The container type label of metrics for a step; empty when the step starts no container.
  public String containerType(PodStep step) {
    if (!(step instanceof PodStep.StartContainer start)) {
      return "";
    }
    boolean isInit =
        pod.getSpec().getInitContainers().stream()
            .anyMatch(one -> one.getName().equals(start.container()));
    return isInit
        ? "init_container"
        : ephemeral(start.container()).isPresent() ? "ephemeral_container" : "container";
  }

  private static Container plain(EphemeralContainer one) {
    return new ContainerBuilder()
        .withName(one.getName())
        .withImage(one.getImage())
        .withImagePullPolicy(one.getImagePullPolicy())
        .withCommand(one.getCommand())
        .withArgs(one.getArgs())
        .withWorkingDir(one.getWorkingDir())
        .withEnv(one.getEnv())
        .withEnvFrom(one.getEnvFrom())
        .withVolumeMounts(one.getVolumeMounts())
        .withSecurityContext(one.getSecurityContext())
        .withStdin(one.getStdin())
        .withStdinOnce(one.getStdinOnce())
        .withTty(one.getTty())
        .withTerminationMessagePath(one.getTerminationMessagePath())
        .withTerminationMessagePolicy(one.getTerminationMessagePolicy())
        .build();
  }
}
