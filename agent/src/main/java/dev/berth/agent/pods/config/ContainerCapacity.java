package dev.berth.agent.pods.config;

/// What the node has for pods; zero where that is not known.
///
/// @param pods how many
public record ContainerCapacity(
    long cpuMilli, long memoryBytes, long ephemeralStorageBytes, int pods) {
  public static final ContainerCapacity UNKNOWN = new ContainerCapacity(0, 0, 0);

  /// For any number of pods.
  public ContainerCapacity(long cpuMilli, long memoryBytes, long ephemeralStorageBytes) {
    this(cpuMilli, memoryBytes, ephemeralStorageBytes, 0);
  }
}
