package dev.berth.vm.pods.rules;

import dev.berth.cri.v1.LinuxContainerResources;
import dev.berth.vm.guest.model.GuestLimits;

/// The limits of a container inside its guest. Sets of processors and memory nodes are the node's
/// and mean nothing there.
public final class ContainerLimitsRule {
  private ContainerLimitsRule() {}

  public static GuestLimits of(LinuxContainerResources resources) {
    return new GuestLimits(
        Math.max(0, resources.getCpuQuota()),
        Math.max(0, resources.getCpuPeriod()),
        resources.getCpuShares(),
        Math.max(0, resources.getMemoryLimitInBytes()),
        0,
        Math.clamp(resources.getOomScoreAdj(), -1000, 1000),
        resources.getUnifiedMap());
  }
}
