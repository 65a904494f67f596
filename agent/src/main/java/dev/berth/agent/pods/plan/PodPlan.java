package dev.berth.agent.pods.plan;

import dev.berth.agent.pods.observed.ObservedPod;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The steps that bring a pod nearer to its desired state.
///
/// @param steps in the order in which they start; steps in progress are among them
/// @param waiting why containers wait without a failure of the agent, such as a crash back-off
/// @param lookAgain when time alone changes the plan; null when it does not
/// @param isDone whether nothing is left to do: a pod that should run has ended by itself, a pod
///   that should stop has stopped
public record PodPlan(
    List<PodStep> steps,
    Map<PodPart, ContainerWaiting> waiting,
    @Nullable Instant lookAgain,
    boolean isDone) {
  public PodPlan {
    steps = List.copyOf(steps);
    waiting = Map.copyOf(waiting);
  }

  public static PodPlan compute(
      Pod pod, DesiredState desired, ObservedPod observed, PlanInput memory, Instant now) {
    return switch (desired) {
      case DesiredState.Run() -> new RunPlan(pod, observed, memory, now).compute();
      case DesiredState.Stop stop -> new StopPlan(pod, stop, observed, memory, now).compute();
    };
  }
}
