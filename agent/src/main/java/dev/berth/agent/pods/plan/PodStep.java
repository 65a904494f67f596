package dev.berth.agent.pods.plan;

import dev.berth.agent.pods.plan.StepKey.Operation;
import org.jspecify.annotations.Nullable;

/// One operation at a pod's runtime service.
public sealed interface PodStep {
  /// Two steps of equal keys are never in progress at once.
  StepKey key();

  /// Runs a new sandbox.
  ///
  /// @param attempt the number of the pod's sandbox
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

  /// Pulls a container's image, if its policy asks for that, before the container starts.
  record PullImage(String container) implements PodStep {
    @Override
    public StepKey key() {
      return StepKey.of(Operation.PULL, container);
    }
  }

  /// Checks whether the image of a container was imported while its pull backs off.
  record FindImage(String container) implements PodStep {
    @Override
    public StepKey key() {
      return StepKey.of(Operation.PULL, container);
    }
  }

  /// Creates and starts a container, and runs its postStart hook.
  ///
  /// @param created the id of a container that was created before but not started
  record StartContainer(String container, int attempt, String sandboxId, @Nullable String created)
      implements PodStep {
    @Override
    public StepKey key() {
      return StepKey.start(container);
    }
  }

  /// Reports that a container is about to stop, and runs its preStop hook. A shorter grace period
  /// cancels the hook: the plan then no longer has this step.
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
  /// @param why for the event; empty when it was reported before
  record StopContainer(String id, String container, GracePeriod grace, String why)
      implements PodStep {
    /// Another grace period makes another step, which does not wait for the longer one.
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

  /// Sets the resources of a running container.
  ///
  /// @param wanted identifies the resources
  record ResizeContainer(String id, String container, String wanted) implements PodStep {
    @Override
    public StepKey key() {
      return StepKey.of(Operation.RESIZE, id);
    }
  }

  /// Sets the resources of the pod's control group.
  ///
  /// @param wanted identifies the resources of all containers
  record ResizePod(String wanted) implements PodStep {
    @Override
    public StepKey key() {
      return StepKey.ofPod(Operation.RESIZE_POD);
    }
  }

  /// Whether the step is interrupted when the plan no longer has it.
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
