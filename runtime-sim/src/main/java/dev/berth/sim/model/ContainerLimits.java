package dev.berth.sim.model;

import dev.berth.cri.v1.ContainerConfig;
import dev.berth.cri.v1.ContainerResources;
import dev.berth.cri.v1.LinuxContainerResources;

/// The limits of a container as its status shows them.
final class ContainerLimits {
  private ContainerLimits() {}

  static ContainerResources initial(ContainerConfig config) {
    ContainerResources.Builder resources = ContainerResources.newBuilder();
    if (config.hasLinux()) {
      resources.setLinux(withSwap(config.getLinux().getResources().toBuilder()));
    }
    if (config.hasWindows()) {
      resources.setWindows(config.getWindows().getResources());
    }
    return resources.build();
  }

  /// What an update names replaces what was there; the rest stays.
  static LinuxContainerResources merged(
      LinuxContainerResources current, LinuxContainerResources update) {
    LinuxContainerResources.Builder merged = current.toBuilder();
    if (update.getHugepageLimitsCount() > 0) {
      merged.clearHugepageLimits();
    }
    if (update.getMemoryLimitInBytes() != 0) {
      merged.clearMemorySwapLimitInBytes();
    }
    return withSwap(merged.mergeFrom(update));
  }

  /// containerd allows no swap beyond the memory limit unless told otherwise.
  private static LinuxContainerResources withSwap(LinuxContainerResources.Builder resources) {
    if (resources.getMemorySwapLimitInBytes() == 0) {
      resources.setMemorySwapLimitInBytes(resources.getMemoryLimitInBytes());
    }
    return resources.build();
  }
}
