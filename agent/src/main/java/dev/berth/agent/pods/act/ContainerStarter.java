package dev.berth.agent.pods.act;

import dev.berth.agent.events.PodEvents;
import dev.berth.agent.images.ImageDescription;
import dev.berth.agent.pods.config.ConfigException;
import dev.berth.agent.pods.config.ContainerConfigs;
import dev.berth.agent.pods.config.ContainerContext;
import dev.berth.agent.pods.config.NodeSettings;
import dev.berth.agent.pods.config.SandboxConfigs;
import dev.berth.agent.pods.observed.ObservedContainer;
import dev.berth.agent.pods.observed.ObservedSandbox;
import dev.berth.agent.pods.plan.PodPart;
import dev.berth.agent.pods.plan.PodStep;
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
  private final LifecycleHooks hooks;
  private final PodEvents events;
  private final RuntimeStartLimiter startLimiter;

  public ContainerStarter(
      NodeSettings node,
      SandboxConfigs sandboxes,
      ContainerConfigs containers,
      ContainerFiles files,
      LifecycleHooks hooks,
      PodEvents events,
      RuntimeStartLimiter startLimiter) {
    this.node = node;
    this.sandboxes = sandboxes;
    this.containers = containers;
    this.files = files;
    this.hooks = hooks;
    this.events = events;
    this.startLimiter = startLimiter;
  }

  StepOutcome start(StepContext stepContext, PodStep.StartContainer step)
      throws InterruptedException {
    Container container =
        stepContext
            .container(step.container())
            .orElseThrow(() -> new ConfigException("there is no container " + step.container()));
    String id;
    try {
      id = step.created() != null ? step.created() : create(stepContext, step, container);
    } catch (ConfigException e) {
      events.warning(stepContext.pod(), step.container(), "Failed", "Error: " + e.getMessage());
      throw e;
    } catch (CriException e) {
      events.warning(stepContext.pod(), step.container(), "Failed", "Error: " + e.reason());
      throw e;
    }
    try {
      startLimiter.take(
          stepContext.service().name(),
          RuntimeStartLimiter.Stage.START,
          () -> {
            stepContext.runtime().startContainer(id);
            return id;
          });
    } catch (CriException e) {
      look(stepContext, step.sandboxId(), id);
      events.warning(stepContext.pod(), step.container(), "Failed", "Error: " + e.reason());
      if (e.isUnanswered()) {
        throw e;
      }
      return new StepOutcome.Failed(
          PodPart.container(step.container()), "RunContainerError", e.reason());
    }
    look(stepContext, step.sandboxId(), id);
    events.normal(
        stepContext.pod(), step.container(), "Started", "Started container " + step.container());
    return hooks.postStart(stepContext, container, id);
  }

  private String create(StepContext stepContext, PodStep.StartContainer step, Container container)
      throws InterruptedException {
    ImageDescription image =
        Objects.requireNonNullElseGet(
            stepContext.images().get(step.container()),
            () -> ImageDescription.of(container.getImage()));
    List<String> addresses = addresses(stepContext, step.sandboxId());
    ContainerConfig config =
        containers.of(
            stepContext.pod(),
            new ContainerContext(
                container,
                target(stepContext, step.container()),
                image,
                stepContext.handlerFacts()),
            step.attempt(),
            addresses,
            files.mounts(
                stepContext,
                containers.withSubPaths(stepContext.pod(), container, addresses),
                step.attempt(),
                addresses));
    PodSandboxConfig sandbox =
        sandboxes.of(stepContext.pod(), sandboxAttempt(stepContext, step.sandboxId()));
    String id =
        startLimiter.take(
            stepContext.service().name(),
            RuntimeStartLimiter.Stage.CREATE,
            () -> stepContext.runtime().createContainer(step.sandboxId(), config, sandbox));
    events.normal(
        stepContext.pod(), step.container(), "Created", "Created container: " + step.container());
    return id;
  }

  /// A runtime reports no address for a sandbox in the host's network; it has those of the node.
  private List<String> addresses(StepContext stepContext, String sandboxId) {
    if (Boolean.TRUE.equals(stepContext.pod().getSpec().getHostNetwork())) {
      return node.addresses();
    }
    return stepContext.observed().sandboxes().stream()
        .filter(sandbox -> sandbox.id().equals(sandboxId))
        .map(ObservedSandbox::addresses)
        .findFirst()
        .orElse(List.of());
  }

  private static int sandboxAttempt(StepContext stepContext, String sandboxId) {
    return stepContext.observed().sandboxes().stream()
        .filter(sandbox -> sandbox.id().equals(sandboxId))
        .mapToInt(ObservedSandbox::attempt)
        .findFirst()
        .orElse(0);
  }

  /// The id of the container whose process namespace an ephemeral container shares.
  private static @Nullable String target(StepContext stepContext, String name) {
    String target =
        stepContext.ephemeral(name).map(EphemeralContainer::getTargetContainerName).orElse("");
    if (target.isEmpty()) {
      return null;
    }
    ObservedContainer found = stepContext.observed().newest(target);
    if (found == null || !found.isRunning()) {
      throw new ConfigException("unable to find target container " + target);
    }
    return found.id();
  }

  static void look(StepContext stepContext, String sandboxId, String id) {
    try {
      stepContext
          .observer()
          .view()
          .put(
              stepContext.uid(),
              ObservedContainer.of(
                  sandboxId, stepContext.runtime().containerStatus(id, false).getStatus()));
    } catch (CriException e) {
      if (!e.isNotFound()) {
        throw e;
      }
      stepContext.observer().view().containerGone(stepContext.uid(), id);
    }
  }
}
