package dev.berth.vm.guest.model;

import java.util.List;

/// What the guest uses; the guest's word, so good for graphs and not for accounts.
///
/// @param cpuNanos of all processors since they started, without idle time
/// @param scratchUsedBytes of the disk for writable layers and volumes
public record GuestUsage(
    long cpuNanos,
    long memoryTotalBytes,
    long memoryAvailableBytes,
    long scratchTotalBytes,
    long scratchUsedBytes,
    long processes,
    NetworkUsage network,
    List<ContainerUsage> containers,
    List<VolumeUsage> volumes) {
  public GuestUsage {
    containers = List.copyOf(containers);
    volumes = List.copyOf(volumes);
  }

  /// Counters of the network device.
  public record NetworkUsage(
      long receivedBytes, long receiveErrors, long sentBytes, long sendErrors) {}

  /// Of a container's control group.
  ///
  /// @param memoryBytes with the page cache
  /// @param workingSetBytes without pages that the kernel can drop
  /// @param residentBytes anonymous memory
  /// @param writableBytes blocks of the writable layer
  /// @param writableFiles its files and directories
  public record ContainerUsage(
      String id,
      long cpuNanos,
      long memoryBytes,
      long workingSetBytes,
      long residentBytes,
      long pageFaults,
      long majorPageFaults,
      long processes,
      long writableBytes,
      long writableFiles) {}

  /// Of a volume on the scratch disk or in memory.
  public record VolumeUsage(String name, long bytes, long files) {}
}
