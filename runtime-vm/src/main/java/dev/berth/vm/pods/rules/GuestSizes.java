package dev.berth.vm.pods.rules;

import dev.berth.cri.v1.LinuxContainerResources;
import dev.berth.cri.v1.LinuxPodSandboxConfig;
import dev.berth.vm.machine.MachineSize;

/// The size of a pod's guest. Sizes come in steps, because each needs a template of its own.
///
/// @param fallback for a pod without a limit, whose memory cannot be known when it starts
/// @param mostProcessors of the host
public record GuestSizes(MachineSize fallback, int mostProcessors) {
  private static final long MEBIBYTE = 1 << 20;

  /// What the guest's kernel and program need beside the containers.
  private static final int RESERVE_MEBIBYTES = 48;

  private static final int SMALLEST_MEBIBYTES = 128;

  /// Larger than any machine that this runtime could start.
  private static final int LARGEST_MEBIBYTES = 1 << 20;

  public MachineSize of(LinuxPodSandboxConfig config) {
    LinuxContainerResources limits = config.getResources();
    return new MachineSize(memory(limits.getMemoryLimitInBytes()), processors(limits));
  }

  private int memory(long limit) {
    if (limit <= 0) {
      return fallback.memoryMebibytes();
    }
    long wanted =
        Math.min(limit / MEBIBYTE + Math.min(1, limit % MEBIBYTE), LARGEST_MEBIBYTES)
            + RESERVE_MEBIBYTES;
    // The steps are 128, 192, 256, 384, 512, 768, and so on: at most half is not asked for.
    int power = SMALLEST_MEBIBYTES;
    while (power + power / 2 < wanted) {
      power *= 2;
    }
    return power >= wanted ? power : power + power / 2;
  }

  private int processors(LinuxContainerResources limits) {
    long quota = limits.getCpuQuota();
    long period = limits.getCpuPeriod() > 0 ? limits.getCpuPeriod() : 100_000;
    if (quota <= 0) {
      return Math.min(fallback.processors(), mostProcessors);
    }
    return Math.clamp((quota + period - 1) / period, 1, mostProcessors);
  }
}
