package dev.berth.agent.pods.act;

import dev.berth.agent.pods.config.ConfigException;
import dev.berth.agent.pods.plan.Memory;
import dev.berth.agent.pods.plan.Step;
import dev.berth.client.ClientException;
import dev.berth.cri.CriException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Does one step of a pod's plan, on the calling thread.
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

  public Outcome run(Step step, PodScene scene) {
    try {
      Outcome outcome = act(step, scene);
      scene.observer().activity();
      return outcome;
    } catch (InterruptedException _) {
      return doubt(step, scene, "given up");
    } catch (CriException e) {
      if (e.isUnanswered()) {
        return doubt(step, scene, message(step, e));
      }
      return new Outcome.Failed(subject(step), reason(step), message(step, e), false);
    } catch (ConfigException e) {
      return new Outcome.Failed(
          subject(step), "CreateContainerConfigError", String.valueOf(e.getMessage()), false);
    } catch (ClientException e) {
      // Something that the pod refers to could not be read.
      return new Outcome.Failed(
          subject(step), "CreateContainerConfigError", String.valueOf(e.getMessage()), false);
    } catch (RuntimeException e) {
      // The top of the thread: the worker must hear of every end, and what to hold back.
      log.error("step failed pod={} step={}", name(scene), step, e);
      Outcome _ = doubt(step, scene, "");
      return new Outcome.Failed(
          subject(step), reason(step), "the agent failed at this, see its log: " + e, false);
    }
  }

  private static String name(PodScene scene) {
    var metadata = scene.pod().getMetadata();
    return metadata.getNamespace() + "/" + metadata.getName();
  }

  private Outcome act(Step step, PodScene scene) throws InterruptedException {
    return switch (step) {
      case Step.RunSandbox(var attempt) -> sandboxes.run(scene, attempt);
      case Step.StopSandbox(var id) -> sandboxes.stop(scene, id);
      case Step.RemoveSandbox(var id) -> sandboxes.remove(scene, id);
      case Step.PullImage(var container) -> images.pull(scene, container);
      case Step.FindImage(var container) -> images.find(scene, container);
      case Step.StartContainer start -> starter.start(scene, start);
      case Step.PreStop preStop -> stopper.preStop(scene, preStop);
      case Step.StopContainer stop -> stopper.stop(scene, stop);
      case Step.RemoveContainer(var id) -> stopper.remove(scene, id);
      case Step.ResizeContainer resize -> resizer.resize(scene, resize);
      case Step.ResizePod _ -> sandboxes.resize(scene);
    };
  }

  /// Only a newer list can tell what is there now, unless the step changes nothing that is listed.
  private static Outcome doubt(Step step, PodScene scene, String message) {
    switch (step) {
      case Step.PullImage _, Step.FindImage _, Step.PreStop _ -> {}
      case Step.RunSandbox _,
          Step.StopSandbox _,
          Step.RemoveSandbox _,
          Step.StartContainer _,
          Step.StopContainer _,
          Step.RemoveContainer _,
          Step.ResizeContainer _,
          Step.ResizePod _ ->
          scene.observer().doubt(scene.uid());
    }
    return new Outcome.Unknown(subject(step), message);
  }

  private static String subject(Step step) {
    return switch (step) {
      case Step.PullImage(var container) -> container;
      case Step.FindImage(var container) -> container;
      case Step.StartContainer start -> start.container();
      case Step.PreStop preStop -> preStop.container();
      case Step.StopContainer stop -> stop.container();
      case Step.ResizeContainer resize -> resize.container();
      case Step.RunSandbox _,
          Step.StopSandbox _,
          Step.RemoveSandbox _,
          Step.RemoveContainer _,
          Step.ResizePod _ ->
          Memory.SANDBOX;
    };
  }

  /// Of a container's start Kubernetes tells the runtime's own words, of all else those of gRPC.
  private static String message(Step step, CriException e) {
    return step instanceof Step.StartContainer ? e.reason() : e.rpcError();
  }

  private static String reason(Step step) {
    return step instanceof Step.StartContainer ? "CreateContainerError" : "Failed";
  }
}
