package dev.berth.agent.pods.plan;

/// What a container waits for after a failure; decides how long it waits.
public enum WaitingCause {
  /// A registry was asked for the image and did not give it: the back-off protects the registry.
  PULL,

  /// The same failure, shown as the wait for the next attempt.
  PULL_BACKOFF,

  /// The image is missing or refused, and no registry was asked.
  LOCAL_IMAGE,

  /// A container that ended starts again after its crash back-off.
  CRASH,

  /// A runtime service refuses to end the pod.
  END_BLOCKED,

  /// Anything else.
  OTHER;

  public boolean isImage() {
    return isPull() || this == LOCAL_IMAGE;
  }

  /// Whether a registry did not give the image.
  public boolean isPull() {
    return this == PULL || this == PULL_BACKOFF;
  }
}
