package dev.berth.agent.pods.act;

import dev.berth.agent.pods.config.ConfigException;
import dev.berth.agent.pods.config.Platform;
import dev.berth.agent.pods.plan.Step;
import dev.berth.cri.CriException;
import dev.berth.cri.v1.UpdateContainerResourcesRequest;
import io.fabric8.kubernetes.api.model.Container;
import java.io.IOException;
import java.util.OptionalLong;

/// Gives running containers other resources.
public final class ContainerResizer {
  private final Platform platform;
  private final PodGroup group;
  private final PodEvents events;

  public ContainerResizer(Platform platform, PodGroup group, PodEvents events) {
    this.platform = platform;
    this.group = group;
    this.events = events;
  }

  Outcome resize(PodScene scene, Step.ResizeContainer step) {
    Container container =
        scene
            .container(step.container())
            .orElseThrow(() -> new ConfigException("there is no container " + step.container()));
    UpdateContainerResourcesRequest request =
        platform.resize(step.id(), scene.pod(), container, scene.handlerFacts());
    long limit = request.getLinux().getMemoryLimitInBytes();
    OptionalLong used = limit > 0 ? memory(scene, step.id()) : OptionalLong.empty();
    if (used.isPresent() && used.getAsLong() > limit) {
      // The kernel would end it rather than let it have more than its limit.
      return failed(
          scene,
          step,
          "it uses %d bytes of memory, more than its new limit of %d; it gets that when it uses less"
              .formatted(used.getAsLong(), limit));
    }
    try {
      group.raise(scene.pod());
      scene.runtime().updateContainerResources(request);
      return new Outcome.Done();
    } catch (IOException e) {
      return failed(scene, step, "the pod's control group cannot be enlarged: " + e);
    } catch (CriException e) {
      if (e.isUnanswered()) {
        throw e;
      }
      return failed(scene, step, e.reason());
    }
  }

  /// What it cannot do without; empty where the runtime does not tell.
  private static OptionalLong memory(PodScene scene, String id) {
    try {
      var memory = scene.runtime().containerStats(id).getMemory();
      return memory.hasWorkingSetBytes()
          ? OptionalLong.of(memory.getWorkingSetBytes().getValue())
          : OptionalLong.empty();
    } catch (CriException _) {
      return OptionalLong.empty();
    }
  }

  private Outcome failed(PodScene scene, Step.ResizeContainer step, String why) {
    String message = "Container %s cannot be resized: %s".formatted(step.container(), why);
    events.warning(scene.pod(), step.container(), "ResizeError", message);
    return new Outcome.Failed(step.container(), "ResizeError", message, false);
  }
}
