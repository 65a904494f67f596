package dev.berth.agent.pods.worker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.agent.pods.observed.ObservedPod;
import dev.berth.agent.pods.plan.ContainerRules;
import dev.berth.agent.pods.plan.DesiredState;
import dev.berth.agent.pods.plan.GracePeriod;
import dev.berth.agent.pods.status.FailureReason;
import dev.berth.agent.pods.status.StatusFacts.PodFailure;
import dev.berth.api.pods.PodPhase;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// What is wanted of a pod, from what the API says and what became of it. Of the worker's thread
/// alone.
public final class DesiredStates {

  static final PodFailure DEADLINE_EXCEEDED =
      new PodFailure(
          FailureReason.DEADLINE_EXCEEDED,
          "Pod was active on the node longer than the specified deadline");

  /// Since the pod is being stopped; another time to end begins again.
  private @Nullable GracePeriod given;

  /// @param gone the API no longer has it
  /// @param hasEnded by itself or because it failed
  /// @param podFailure why the pod was failed; null when it was not
  public DesiredState of(
      Pod pod, boolean gone, boolean hasEnded, @Nullable PodFailure podFailure, Instant now) {
    String phase = pod.getStatus() == null ? null : pod.getStatus().getPhase();
    if (gone || pod.getMetadata().getDeletionTimestamp() != null) {
      return new DesiredState.Stop(grace(pod, podFailure, now), true, "Stopping container");
    }
    if (hasEnded || PodPhase.isFinished(phase)) {
      return new DesiredState.Stop(grace(pod, podFailure, now), false, "Stopping container");
    }
    return new DesiredState.Run();
  }

  private GracePeriod grace(Pod pod, @Nullable PodFailure podFailure, Instant now) {
    Duration grace = ContainerRules.grace(pod);
    Duration longest = podFailure == null ? null : podFailure.longestGrace();
    if (longest != null && grace.compareTo(longest) > 0) {
      grace = longest;
    }
    if (given == null || !given.time().equals(grace)) {
      given = new GracePeriod(grace, now);
    }
    return given;
  }

  /// Whether something is about to happen to it without the agent's doing: containers that end.
  static boolean changesByItself(Pod pod, DesiredState desired, ObservedPod observed) {
    boolean initializing =
        pod.getSpec().getContainers().stream()
            .anyMatch(container -> observed.newest(container.getName()) == null);
    return observed.runsAnything()
        && (desired instanceof DesiredState.Stop
            || initializing
            || !ContainerRules.restartPolicy(pod).equals("Always"));
  }

  /// When the pod has been running for too long; null when it may for ever.
  static @Nullable Instant deadline(Pod pod, JsonNode status) {
    Long seconds = pod.getSpec().getActiveDeadlineSeconds();
    String started = status.path("startTime").asText();
    return seconds == null || started.isEmpty()
        ? null
        : Instant.parse(started).plusSeconds(seconds);
  }
}
