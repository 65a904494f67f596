package dev.berth.agent.pods.plan;

import java.time.Instant;

/// Why a container or sandbox waits, and when the agent tries again.
///
/// @param reason and `message`: as the container's waiting state shows them
/// @param lookAt an earlier time at which the agent checks whether the obstacle is gone, such as an
///   imported image
public record ContainerWaiting(
    String reason, String message, Instant retryAt, Instant lookAt, WaitingCause cause) {
  /// A running container whose postStart hook has not ended: users see it as waiting.
  public static final ContainerWaiting STARTING =
      new ContainerWaiting("ContainerCreating", "", Instant.MAX);

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

  /// A failed pull that is shown as backing off, as the kubelet does.
  public ContainerWaiting backingOff(String image) {
    return new ContainerWaiting(
        "ImagePullBackOff",
        "Back-off pulling image \"%s\": %s: %s".formatted(image, reason, message),
        retryAt,
        lookAt,
        WaitingCause.PULL_BACKOFF);
  }
}
