package dev.berth.agent.pods.act;

import dev.berth.agent.pods.config.ConfigException;
import dev.berth.agent.pods.plan.PodPart;
import dev.berth.agent.pods.plan.PodStep;
import dev.berth.client.ClientException;
import dev.berth.cri.CriException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs one step of a pod's plan on the calling thread.
public final class StepRunner {
  private static final Logger log = LoggerFactory.getLogger(StepRunner.class);

  private final SandboxActions sandboxes;
  private final ImageActions images;
  private final ContainerStarter starter;
  private final ContainerStopper stopper;
  private final ContainerResizer resizer;

  public StepRunner(
      SandboxActions sandboxes,
      ImageActions images,
      ContainerStarter starter,
      ContainerStopper stopper,
      ContainerResizer resizer) {
    this.sandboxes = sandboxes;
    this.images = images;
    this.starter = starter;
    this.stopper = stopper;
    this.resizer = resizer;
  }

  public StepOutcome run(PodStep step, StepContext stepContext) {
    try {
      StepOutcome outcome = act(step, stepContext);
      stepContext.observer().activity();
      return outcome;
    } catch (InterruptedException _) {
      return doubt(step, stepContext, "given up");
    } catch (CriException e) {
      if (e.isUnanswered()) {
        return doubt(step, stepContext, message(step, e));
      }
      return new StepOutcome.Failed(part(step), reason(step), message(step, e));
    } catch (ConfigException e) {
      return new StepOutcome.Failed(
          part(step), "CreateContainerConfigError", String.valueOf(e.getMessage()));
    } catch (ClientException e) {
      // An object that the pod refers to cannot be read.
      return new StepOutcome.Failed(
          part(step), "CreateContainerConfigError", String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      // The top of the thread: the worker must learn of every end, to back off.
      log.error("step failed pod={} step={}", name(stepContext), step, e);
      StepOutcome _ = doubt(step, stepContext, "");
      return new StepOutcome.Failed(
          part(step), reason(step), "internal error of the agent, see its log: " + e);
    }
  }

  private static String name(StepContext stepContext) {
    var metadata = stepContext.pod().getMetadata();
    return metadata.getNamespace() + "/" + metadata.getName();
  }

  private StepOutcome act(PodStep step, StepContext stepContext) throws InterruptedException {
    return switch (step) {
      case PodStep.RunSandbox(var attempt) -> sandboxes.run(stepContext, attempt);
      case PodStep.StopSandbox(var id) -> sandboxes.stop(stepContext, id);
      case PodStep.RemoveSandbox(var id) -> sandboxes.remove(stepContext, id);
      case PodStep.PullImage(var container) -> images.pull(stepContext, container);
      case PodStep.FindImage(var container) -> images.find(stepContext, container);
      case PodStep.StartContainer start -> starter.start(stepContext, start);
      case PodStep.PreStop preStop -> stopper.preStop(stepContext, preStop);
      case PodStep.StopContainer stop -> stopper.stop(stepContext, stop);
      case PodStep.RemoveContainer(var id) -> stopper.remove(stepContext, id);
      case PodStep.ResizeContainer resize -> resizer.resize(stepContext, resize);
      case PodStep.ResizePod _ -> sandboxes.resize(stepContext);
    };
  }

  /// Marks the pod's state as unknown until the next list, unless the step changes nothing that is
  /// listed.
  private static StepOutcome doubt(PodStep step, StepContext stepContext, String message) {
    switch (step) {
      case PodStep.PullImage _, PodStep.FindImage _, PodStep.PreStop _ -> {}
      case PodStep.RunSandbox _,
          PodStep.StopSandbox _,
          PodStep.RemoveSandbox _,
          PodStep.StartContainer _,
          PodStep.StopContainer _,
          PodStep.RemoveContainer _,
          PodStep.ResizeContainer _,
          PodStep.ResizePod _ ->
          stepContext.observer().doubt(stepContext.uid());
    }
    return new StepOutcome.Unknown(part(step), message);
  }

  private static PodPart part(PodStep step) {
    return switch (step) {
      case PodStep.PullImage(var container) -> PodPart.container(container);
      case PodStep.FindImage(var container) -> PodPart.container(container);
      case PodStep.StartContainer start -> PodPart.container(start.container());
      case PodStep.PreStop preStop -> PodPart.container(preStop.container());
      case PodStep.StopContainer stop -> PodPart.container(stop.container());
      case PodStep.ResizeContainer resize -> PodPart.container(resize.container());
      case PodStep.RunSandbox _,
          PodStep.StopSandbox _,
          PodStep.RemoveSandbox _,
          PodStep.RemoveContainer _,
          PodStep.ResizePod _ ->
          PodPart.SANDBOX;
    };
  }

  /// Kubernetes shows the runtime's own message for a failed container start, and the gRPC error
  /// for other calls.
  private static String message(PodStep step, CriException e) {
    return step instanceof PodStep.StartContainer ? e.reason() : e.rpcError();
  }

  private static String reason(PodStep step) {
    return step instanceof PodStep.StartContainer ? "CreateContainerError" : "Failed";
  }
}
