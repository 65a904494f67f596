package dev.berth.vm.guest.model;

import java.util.Map;

/// What a container may use inside its guest; 0 is no limit.
///
/// @param cpuQuotaMicros of processor time in each period; 0 or less is no limit
/// @param cpuPeriodMicros 0 is 100 ms
/// @param cpuShares of version 1 of control groups, from 2 to 262144; 0 is 1024
/// @param pids processes and threads
/// @param oomScoreAdjustment from -1000 to 1000; takes effect when the container starts
/// @param unified further files of its control group, such as `memory.high`
public record GuestLimits(
    long cpuQuotaMicros,
    long cpuPeriodMicros,
    long cpuShares,
    long memoryBytes,
    long pids,
    int oomScoreAdjustment,
    Map<String, String> unified) {
  public static final GuestLimits NONE = new GuestLimits(0, 0, 0, 0, 0, 0, Map.of());

  public GuestLimits {
    unified = Map.copyOf(unified);
  }

  /// As all runtimes translate shares for version 2 of control groups.
  public long cpuWeight() {
    long shares = cpuShares == 0 ? 1024 : Math.clamp(cpuShares, 2, 262144);
    return 1 + (shares - 2) * 9999 / 262142;
  }
}
