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

/// A pod and where it is, at the moment in which a step is begun.
///
/// @param handler with which its sandboxes are made
/// @param images what is known of the images that were made sure of, by container
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

  /// What is known of the handler.
  ServiceHandler handlerFacts() {
    return service
        .discovered()
        .flatMap(told -> told.handlers().find(handler))
        .orElseGet(() -> ServiceHandler.named(handler));
  }

  /// Where its containers are asked: those of its sandbox, or the node's for a pod in its network.
  public List<String> addresses(NodeSettings node) {
    return Boolean.TRUE.equals(pod.getSpec().getHostNetwork())
        ? node.addresses()
        : observed.usableSandbox().map(ObservedSandbox::addresses).orElse(List.of());
  }

  /// The specification of a container of any sort; empty when the pod has none of that name.
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

  /// Which sort of container a step starts, in the words of metrics; empty when it starts none.
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
