package dev.berth.vm.pods.state;

/// How far a container is.
public enum ContainerPhase {
  /// The guest may have it; a new process removes it, because the call was never answered.
  CREATING,
  CREATED,
  RUNNING,
  EXITED
}
