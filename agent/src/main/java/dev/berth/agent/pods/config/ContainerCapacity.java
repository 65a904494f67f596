package dev.berth.agent.pods.config;

/// The node's capacity for pods; zero where it is unknown.
///
/// @param pods the maximum number
public record ContainerCapacity(
    long cpuMilli, long memoryBytes, long ephemeralStorageBytes, int pods) {
  public static final ContainerCapacity UNKNOWN = new ContainerCapacity(0, 0, 0);

  /// A capacity without a limit on the number of pods.
  public ContainerCapacity(long cpuMilli, long memoryBytes, long ephemeralStorageBytes) {
    this(cpuMilli, memoryBytes, ephemeralStorageBytes, 0);
  }
}
