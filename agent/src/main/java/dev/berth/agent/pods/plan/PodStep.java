package dev.berth.agent.pods.plan;

import dev.berth.agent.pods.plan.StepKey.Operation;
import org.jspecify.annotations.Nullable;

/// Something to be done at a pod's runtime service.
public sealed interface PodStep {
  /// Two steps of equal keys are never in progress at once.
  StepKey key();

  /// Runs a new sandbox.
  ///
  /// @param attempt counts the sandboxes of the pod
  record RunSandbox(int attempt) implements PodStep {
    @Override
    public StepKey key() {
      return StepKey.ofPod(Operation.RUN_SANDBOX);
    }
  }

  record StopSandbox(String id) implements PodStep {
    @Override
    public StepKey key() {
      return StepKey.of(Operation.STOP_SANDBOX, id);
    }
  }

  record RemoveSandbox(String id) implements PodStep {
    @Override
    public StepKey key() {
      return StepKey.of(Operation.REMOVE_SANDBOX, id);
    }
  }

  /// Makes sure that the image of a container is there before it is started.
  record PullImage(String container) implements PodStep {
    @Override
    public StepKey key() {
      return StepKey.of(Operation.PULL, container);
    }
  }

  /// Looks whether somebody brought the image of a container whose pull has to wait.
  record FindImage(String container) implements PodStep {
    @Override
    public StepKey key() {
      return StepKey.of(Operation.PULL, container);
    }
  }

  /// Creates a container and starts it, up to the end of its postStart hook.
  ///
  /// @param created the id when it was created before, but not started
  record StartContainer(String container, int attempt, String sandboxId, @Nullable String created)
      implements PodStep {
    @Override
    public StepKey key() {
      return StepKey.start(container);
    }
  }

  /// Tells that a container is about to be stopped, and runs its preStop hook if it has one. A
  /// shorter grace ends it early, as the plan no longer has it then.
  ///
  /// @param why for the event
  record PreStop(String id, String container, GracePeriod grace, String why) implements PodStep {
    @Override
    public StepKey key() {
      return StepKey.of(Operation.PRE_STOP, id);
    }
  }

  /// Stops a container.
  ///
  /// @param why for the event; empty when it was told before
  record StopContainer(String id, String container, GracePeriod grace, String why)
      implements PodStep {
    /// A shorter grace is another step: it does not wait for the longer one.
    @Override
    public StepKey key() {
      return new StepKey(Operation.STOP, id, grace.time());
    }
  }

  record RemoveContainer(String id) implements PodStep {
    @Override
    public StepKey key() {
      return StepKey.of(Operation.REMOVE, id);
    }
  }

  /// Gives a running container the resources that its pod now asks for.
  ///
  /// @param wanted stands for these resources
  record ResizeContainer(String id, String container, String wanted) implements PodStep {
    @Override
    public StepKey key() {
      return StepKey.of(Operation.RESIZE, id);
    }
  }

  /// Gives the pod as a whole what its containers now have together.
  ///
  /// @param wanted stands for the resources of all of them
  record ResizePod(String wanted) implements PodStep {
    @Override
    public StepKey key() {
      return StepKey.ofPod(Operation.RESIZE_POD);
    }
  }

  /// Whether it is given up when the plan no longer has it.
  default boolean isCancellable() {
    return switch (this) {
      case RunSandbox _,
          PullImage _,
          FindImage _,
          StartContainer _,
          PreStop _,
          ResizeContainer _,
          ResizePod _ ->
          true;
      case StopSandbox _, RemoveSandbox _, StopContainer _, RemoveContainer _ -> false;
    };
  }
}
