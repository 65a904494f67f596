package dev.berth.agent.pods.act;

import dev.berth.agent.events.PodEvents;
import dev.berth.agent.pods.config.ConfigException;
import dev.berth.agent.pods.config.PlatformConfig;
import dev.berth.agent.pods.plan.PodPart;
import dev.berth.agent.pods.plan.PodStep;
import dev.berth.cri.CriException;
import dev.berth.cri.v1.UpdateContainerResourcesRequest;
import io.fabric8.kubernetes.api.model.Container;
import java.io.IOException;
import java.util.OptionalLong;

/// Changes the resources of running containers.
public final class ContainerResizer {
  private final PlatformConfig platform;
  private final PodCgroup group;
  private final PodEvents events;

  public ContainerResizer(PlatformConfig platform, PodCgroup group, PodEvents events) {
    this.platform = platform;
    this.group = group;
    this.events = events;
  }

  StepOutcome resize(StepContext stepContext, PodStep.ResizeContainer step) {
    Container container =
        stepContext
            .container(step.container())
            .orElseThrow(() -> new ConfigException("there is no container " + step.container()));
    UpdateContainerResourcesRequest request =
        platform.resize(step.id(), stepContext.pod(), container, stepContext.handlerFacts());
    long limit = request.getLinux().getMemoryLimitInBytes();
    OptionalLong used = limit > 0 ? memory(stepContext, step.id()) : OptionalLong.empty();
    if (used.isPresent() && used.getAsLong() > limit) {
      // Below the memory in use, the kernel would kill the container instead of limiting it.
      return failed(
          stepContext,
          step,
          "it uses %d bytes of memory, more than its new limit of %d. The limit changes when it uses less"
              .formatted(used.getAsLong(), limit));
    }
    try {
      group.raise(stepContext.pod());
      stepContext.runtime().updateContainerResources(request);
      return new StepOutcome.Done();
    } catch (IOException e) {
      return failed(stepContext, step, "the pod's control group cannot be enlarged: " + e);
    } catch (CriException e) {
      if (e.isUnanswered()) {
        throw e;
      }
      return failed(stepContext, step, e.reason());
    }
  }

  /// The memory in use, in bytes; empty when the runtime does not report it.
  private static OptionalLong memory(StepContext stepContext, String id) {
    try {
      var memory = stepContext.runtime().containerStats(id).getMemory();
      return memory.hasWorkingSetBytes()
          ? OptionalLong.of(memory.getWorkingSetBytes().getValue())
          : OptionalLong.empty();
    } catch (CriException _) {
      return OptionalLong.empty();
    }
  }

  private StepOutcome failed(StepContext stepContext, PodStep.ResizeContainer step, String why) {
    String message = "Container %s cannot be resized: %s".formatted(step.container(), why);
    events.warning(stepContext.pod(), step.container(), "ResizeError", message);
    return new StepOutcome.Failed(PodPart.container(step.container()), "ResizeError", message);
  }
}
