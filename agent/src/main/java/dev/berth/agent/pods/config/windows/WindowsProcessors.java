package dev.berth.agent.pods.config.windows;

/// How CPU limits and requests are passed to Windows runtimes.
public enum WindowsProcessors {
  /// Count, weight and maximum, as Kubernetes' design for Windows has it; a runtime applies the
  /// first it supports.
  ALL_CONTROLS,

  /// Only the maximum, as the kubelet does since 1.18; for runtimes that refuse more than one
  /// control.
  MAXIMUM_ONLY
}
