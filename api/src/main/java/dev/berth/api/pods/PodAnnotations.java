package dev.berth.api.pods;

/// Annotations of pods that several modules read.
public final class PodAnnotations {
  /// Marks the API object of a static pod, which only its node's agent changes.
  public static final String MIRROR = "kubernetes.io/config.mirror";

  /// Where an agent has a pod from: `api` or `file`.
  public static final String SOURCE = "kubernetes.io/config.source";

  /// Stands for `spec.runtimeServiceName` where an API server prunes fields that it does not know.
  public static final String RUNTIME_SERVICE = "berth.dev/runtime-service";

  /// The processors of a Windows node on which the containers of a pod run, such as `0-3,8`.
  public static final String WINDOWS_PROCESSORS = "berth.dev/windows-cpus";

  private PodAnnotations() {}
}
