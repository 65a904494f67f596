package dev.berth.agent.node.overhead;

import dev.berth.api.ResourceAmounts;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalLong;

/// One reading of one sandbox.
///
/// @param runtimeClass empty for a pod without one
/// @param declared the pod's `spec.overhead`
/// @param memoryBytes working set of the whole sandbox without that of its containers
/// @param cpuNanos processor time of the whole sandbox without that of its containers
/// @param containers the creation of each running container; counters of different containers
///   cannot be compared
record SandboxSample(
    String podUid,
    String handler,
    String runtimeClass,
    ResourceAmounts declared,
    long memoryBytes,
    long cpuNanos,
    Map<String, Instant> containers) {
  SandboxSample {
    containers = Map.copyOf(containers);
  }

  /// Millicores since an earlier sample of the same containers.
  OptionalLong milliCores(SandboxSample earlier, Duration between) {
    long spent = cpuNanos - earlier.cpuNanos;
    boolean comparable =
        podUid.equals(earlier.podUid)
            && containers.equals(earlier.containers)
            && cpuNanos > 0
            && spent >= 0
            && between.isPositive();
    return comparable
        ? OptionalLong.of(Math.ceilDiv(spent * 1000, between.toNanos()))
        : OptionalLong.empty();
  }
}
