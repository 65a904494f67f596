package dev.berth.agent.pods.config.windows;

/// How limits and requests of CPU are said to Windows runtimes.
public enum WindowsProcessors {
  /// Count, weight and maximum, as the design of container resources on Windows has it; a runtime
  /// takes the first of them that it can apply.
  ALL_CONTROLS,

  /// The maximum alone, as the kubelet does since 1.18; for runtimes that refuse more than one.
  MAXIMUM_ONLY
}
