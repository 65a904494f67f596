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

/// Computes the desired state of a pod from its API object and its failure. Confined to the
/// worker's thread.
public final class DesiredStates {

  static final PodFailure DEADLINE_EXCEEDED =
      new PodFailure(
          FailureReason.DEADLINE_EXCEEDED,
          "Pod was active on the node longer than the specified deadline");

  /// The grace period in use. A change of its length starts it again.
  private @Nullable GracePeriod given;

  /// What the pod is to do now.
  ///
  /// @param gone whether the API no longer has the pod
  /// @param hasEnded whether the pod ended by itself or failed
  /// @param podFailure why the pod failed; null when it did not
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

  /// Whether the pod changes without a step of the agent: a container that ends by itself.
  static boolean changesByItself(Pod pod, DesiredState desired, ObservedPod observed) {
    boolean initializing =
        pod.getSpec().getContainers().stream()
            .anyMatch(container -> observed.newest(container.getName()) == null);
    return observed.runsAnything()
        && (desired instanceof DesiredState.Stop
            || initializing
            || !ContainerRules.restartPolicy(pod).equals("Always"));
  }

  /// When `activeDeadlineSeconds` is over; null for a pod without it.
  static @Nullable Instant deadline(Pod pod, JsonNode status) {
    Long seconds = pod.getSpec().getActiveDeadlineSeconds();
    String started = status.path("startTime").asText();
    return seconds == null || started.isEmpty()
        ? null
        : Instant.parse(started).plusSeconds(seconds);
  }
}
