package dev.berth.vm.pods.state;

/// How far a sandbox is.
public enum SandboxPhase {
  /// Its machine and network may exist; a new process removes them, because the call that made them
  /// was never answered.
  STARTING,
  READY,
  /// Nothing runs any more. Its containers stay until they are removed.
  STOPPED
}
