package dev.berth.agent.pods.plan;

import java.time.Instant;

/// Why a container (or the sandbox) could not be started, and when that is tried again.
///
/// @param reason and `message`: as the container's waiting state shows them
/// @param lookAt before `retryAt` when somebody may bring by then what is missing
public record ContainerWaiting(
    String reason, String message, Instant retryAt, Instant lookAt, WaitingCause cause) {
  /// Of a container that runs, but whose postStart hook has not ended: users see it as not running.
  public static final ContainerWaiting STARTING =
      new ContainerWaiting("ContainerCreating", "", Instant.MAX);

  /// The reason of what keeps a pod from its end.
  public static final String END_BLOCKED = "FailedKillPod";

  public ContainerWaiting(String reason, String message, Instant retryAt) {
    this(reason, message, retryAt, WaitingCause.OTHER);
  }

  public ContainerWaiting(String reason, String message, Instant retryAt, WaitingCause cause) {
    this(reason, message, retryAt, retryAt, cause);
  }

  public ContainerWaiting lookingAt(Instant time) {
    return new ContainerWaiting(
        reason, message, retryAt, time.isBefore(retryAt) ? time : retryAt, cause);
  }

  public ContainerWaiting shownAs(String otherReason, String otherMessage) {
    return new ContainerWaiting(otherReason, otherMessage, retryAt, lookAt, cause);
  }
}
