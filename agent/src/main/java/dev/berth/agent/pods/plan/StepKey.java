package dev.berth.agent.pods.plan;

import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Identifies a step: two steps of one pod with equal keys are never in progress at once.
///
/// @param target a container's name before it exists, else the id of a container or sandbox; the
///   operation alone identifies a step of the pod as a whole
/// @param grace set where another grace period makes another step
public record StepKey(Operation operation, String target, @Nullable Duration grace) {
  /// What a step does. A pull and a look for the same image share one operation: they exclude each
  /// other.
  public enum Operation {
    RUN_SANDBOX,
    STOP_SANDBOX,
    REMOVE_SANDBOX,
    PULL,
    START,
    PRE_STOP,
    STOP,
    REMOVE,
    RESIZE,
    RESIZE_POD
  }

  static StepKey ofPod(Operation operation) {
    return new StepKey(operation, "", null);
  }

  static StepKey of(Operation operation, String target) {
    return new StepKey(operation, target, null);
  }

  /// The key of the step that starts a container.
  public static StepKey start(String container) {
    return of(Operation.START, container);
  }

  /// For names of threads and for messages.
  @Override
  public String toString() {
    String name = operation.name().toLowerCase(Locale.ROOT).replace('_', '-');
    return name + (target.isEmpty() ? "" : " " + target) + (grace == null ? "" : " " + grace);
  }
}
