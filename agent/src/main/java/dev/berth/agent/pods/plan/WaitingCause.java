package dev.berth.agent.pods.plan;

/// What a container waits for after a failure; decides how long it waits.
public enum WaitingCause {
  /// A registry was asked for the image and did not give it: the back-off protects the registry.
  PULL,

  /// The image is missing or refused, and no registry was asked.
  LOCAL_IMAGE,

  /// A container that ended starts again after its crash back-off.
  CRASH,

  /// Anything else.
  OTHER;

  public boolean isImage() {
    return this == PULL || this == LOCAL_IMAGE;
  }
}
