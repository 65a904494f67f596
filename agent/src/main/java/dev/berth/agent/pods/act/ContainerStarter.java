package dev.berth.agent.pods.act;

import dev.berth.agent.images.ImageFacts;
import dev.berth.agent.pods.config.ConfigException;
import dev.berth.agent.pods.config.ContainerConfigs;
import dev.berth.agent.pods.config.ContainerPlace;
import dev.berth.agent.pods.config.NodeSettings;
import dev.berth.agent.pods.config.SandboxConfigs;
import dev.berth.agent.pods.observed.ObservedContainer;
import dev.berth.agent.pods.observed.ObservedSandbox;
import dev.berth.agent.pods.plan.Step;
import dev.berth.cri.CriException;
import dev.berth.cri.v1.ContainerConfig;
import dev.berth.cri.v1.PodSandboxConfig;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EphemeralContainer;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Creates containers and starts them.
public final class ContainerStarter {
  private final NodeSettings node;
  private final SandboxConfigs sandboxes;
  private final ContainerConfigs containers;
  private final ContainerFiles files;
  private final Hooks hooks;
  private final PodEvents events;
  private final Turns turns;

  public ContainerStarter(
      NodeSettings node,
      SandboxConfigs sandboxes,
      ContainerConfigs containers,
      ContainerFiles files,
      Hooks hooks,
      PodEvents events,
      Turns turns) {
    this.node = node;
    this.sandboxes = sandboxes;
    this.containers = containers;
    this.files = files;
    this.hooks = hooks;
    this.events = events;
    this.turns = turns;
  }

  Outcome start(PodScene scene, Step.StartContainer step) throws InterruptedException {
    Container container =
        scene
            .container(step.container())
            .orElseThrow(() -> new ConfigException("there is no container " + step.container()));
    String id;
    try {
      id = step.created() != null ? step.created() : create(scene, step, container);
    } catch (ConfigException e) {
      events.warning(scene.pod(), step.container(), "Failed", "Error: " + e.getMessage());
      throw e;
    } catch (CriException e) {
      events.warning(scene.pod(), step.container(), "Failed", "Error: " + e.reason());
      throw e;
    }
    try {
      turns.take(
          scene.service().name(),
          Turns.Stage.START,
          () -> {
            scene.runtime().startContainer(id);
            return id;
          });
    } catch (CriException e) {
      look(scene, step.sandboxId(), id);
      events.warning(scene.pod(), step.container(), "Failed", "Error: " + e.reason());
      if (e.isUnanswered()) {
        throw e;
      }
      return new Outcome.Failed(step.container(), "RunContainerError", e.reason(), false);
    }
    look(scene, step.sandboxId(), id);
    events.normal(
        scene.pod(), step.container(), "Started", "Started container " + step.container());
    return hooks.postStart(scene, container, id);
  }

  private String create(PodScene scene, Step.StartContainer step, Container container)
      throws InterruptedException {
    ImageFacts image =
        Objects.requireNonNullElseGet(
            scene.images().get(step.container()), () -> ImageFacts.of(container.getImage()));
    List<String> addresses = addresses(scene, step.sandboxId());
    ContainerConfig config =
        containers.of(
            scene.pod(),
            new ContainerPlace(
                container, target(scene, step.container()), image, scene.handlerFacts()),
            step.attempt(),
            addresses,
            files.mounts(
                scene,
                containers.withSubPaths(scene.pod(), container, addresses),
                step.attempt(),
                addresses));
    PodSandboxConfig sandbox = sandboxes.of(scene.pod(), sandboxAttempt(scene, step.sandboxId()));
    String id =
        turns.take(
            scene.service().name(),
            Turns.Stage.CREATE,
            () -> scene.runtime().createContainer(step.sandboxId(), config, sandbox));
    events.normal(
        scene.pod(), step.container(), "Created", "Created container: " + step.container());
    return id;
  }

  private List<String> addresses(PodScene scene, String sandboxId) {
    if (Boolean.TRUE.equals(scene.pod().getSpec().getHostNetwork())) {
      return node.addresses();
    }
    return scene.observed().sandboxes().stream()
        .filter(sandbox -> sandbox.id().equals(sandboxId))
        .map(ObservedSandbox::addresses)
        .findFirst()
        .orElse(List.of());
  }

  private static int sandboxAttempt(PodScene scene, String sandboxId) {
    return scene.observed().sandboxes().stream()
        .filter(sandbox -> sandbox.id().equals(sandboxId))
        .mapToInt(ObservedSandbox::attempt)
        .findFirst()
        .orElse(0);
  }

  /// The container whose processes an ephemeral one is to see.
  private static @Nullable String target(PodScene scene, String name) {
    String target =
        scene.ephemeral(name).map(EphemeralContainer::getTargetContainerName).orElse("");
    if (target.isEmpty()) {
      return null;
    }
    ObservedContainer found = scene.observed().newest(target);
    if (found == null || !found.isRunning()) {
      throw new ConfigException("unable to find target container " + target);
    }
    return found.id();
  }

  static void look(PodScene scene, String sandboxId, String id) {
    try {
      scene
          .observer()
          .view()
          .put(
              scene.uid(),
              ObservedContainer.of(
                  sandboxId, scene.runtime().containerStatus(id, false).getStatus()));
    } catch (CriException e) {
      if (!e.isNotFound()) {
        throw e;
      }
      scene.observer().view().containerGone(scene.uid(), id);
    }
  }
}
