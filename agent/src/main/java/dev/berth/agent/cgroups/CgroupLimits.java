package dev.berth.agent.cgroups;

/// The limits of a control group.
///
/// @param cpuShares the relative weight under contention; 1024 is one processor
/// @param cpuQuota microseconds per period over all processors; -1 for no limit
/// @param memoryBytes -1 for no limit
public record CgroupLimits(long cpuShares, long cpuQuota, long memoryBytes) {
  /// In microseconds.
  public static final long PERIOD = 100_000;

  public static final long NO_LIMIT = -1;

  /// The kernel's bounds of `cpu.shares`; values outside are refused or silently changed.
  public static final long SMALLEST_SHARES = 2;

  public static final long LARGEST_SHARES = 262_144;

  /// The limits of pods without requests and limits.
  public static final CgroupLimits LEAST = new CgroupLimits(SMALLEST_SHARES, NO_LIMIT, NO_LIMIT);

  /// The larger value of each.
  public CgroupLimits atLeast(CgroupLimits other) {
    return new CgroupLimits(
        Math.max(cpuShares, other.cpuShares),
        larger(cpuQuota, other.cpuQuota),
        larger(memoryBytes, other.memoryBytes));
  }

  private static long larger(long one, long other) {
    return one < 0 || other < 0 ? NO_LIMIT : Math.max(one, other);
  }
}
