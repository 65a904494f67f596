package dev.berth.sim.model;

import dev.berth.cri.v1.NetworkInterfaceUsage;
import dev.berth.cri.v1.NetworkUsage;
import dev.berth.cri.v1.ProcessUsage;

/// Simulated network and process statistics of a pod, which grow steadily with its age.
final class PodNetwork {
  /// Traffic of every pod: it grows with time, so that consumers of rates have something to
  /// compute.
  private static final long BYTES_PER_SECOND = 128;

  private static final long SECOND = 1_000_000_000L;

  private PodNetwork() {}

  static long bytes(long since, long now) {
    return Math.max(0, now - since) / SECOND * BYTES_PER_SECOND;
  }

  static NetworkUsage usage(long since, long now) {
    NetworkInterfaceUsage usage =
        NetworkInterfaceUsage.newBuilder()
            .setName("eth0")
            .setRxBytes(UsageStatistics.value(bytes(since, now)))
            .setTxBytes(UsageStatistics.value(bytes(since, now) / 2))
            .setRxErrors(UsageStatistics.value(0))
            .setTxErrors(UsageStatistics.value(0))
            .build();
    return NetworkUsage.newBuilder()
        .setTimestamp(now)
        .setDefaultInterface(usage)
        .addInterfaces(usage)
        .build();
  }

  static ProcessUsage processes(long count, long now) {
    return ProcessUsage.newBuilder()
        .setTimestamp(now)
        .setProcessCount(UsageStatistics.value(count))
        .build();
  }
}
