package dev.berth.agent.pods.config;

/// What the node has for pods; zero where that is not known.
///
/// @param pods how many
public record NodeCapacity(long cpuMilli, long memoryBytes, long ephemeralStorageBytes, int pods) {
  public static final NodeCapacity UNKNOWN = new NodeCapacity(0, 0, 0);

  /// For any number of pods.
  public NodeCapacity(long cpuMilli, long memoryBytes, long ephemeralStorageBytes) {
    this(cpuMilli, memoryBytes, ephemeralStorageBytes, 0);
  }
}
