package dev.berth.cri.serving;

import dev.berth.cri.v1.ContainerConfig;
import dev.berth.cri.v1.ContainerResources;
import dev.berth.cri.v1.LinuxContainerResources;

/// The resource limits that a container's status reports. CRI's status has them since Kubernetes
/// 1.25, and a resize of a pod is complete when they show the requested values.
public final class ContainerLimits {
  private ContainerLimits() {}

  public static ContainerResources initial(ContainerConfig config) {
    ContainerResources.Builder resources = ContainerResources.newBuilder();
    if (config.hasLinux()) {
      resources.setLinux(withSwap(config.getLinux().getResources().toBuilder()));
    }
    if (config.hasWindows()) {
      resources.setWindows(config.getWindows().getResources());
    }
    return resources.build();
  }

  /// Merges an update into the limits. Fields that the update leaves at zero keep their value.
  public static LinuxContainerResources merged(
      LinuxContainerResources current, LinuxContainerResources update) {
    LinuxContainerResources.Builder merged = current.toBuilder();
    // The message's merge would append to the list instead of replacing it.
    if (update.getHugepageLimitsCount() > 0) {
      merged.clearHugepageLimits();
    }
    // The new swap limit follows the new memory limit, unless the update has its own.
    if (update.getMemoryLimitInBytes() != 0) {
      merged.clearMemorySwapLimitInBytes();
    }
    return withSwap(merged.mergeFrom(update));
  }

  /// containerd sets the swap limit to the memory limit when a request has none, so that a
  /// container gets no swap.
  private static LinuxContainerResources withSwap(LinuxContainerResources.Builder resources) {
    if (resources.getMemorySwapLimitInBytes() == 0) {
      resources.setMemorySwapLimitInBytes(resources.getMemoryLimitInBytes());
    }
    return resources.build();
  }
}
