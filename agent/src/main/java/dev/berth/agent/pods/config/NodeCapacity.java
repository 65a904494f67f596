package dev.berth.agent.pods.config;

/// What the node has for pods; zero where that is not known.
public record NodeCapacity(long cpuMilli, long memoryBytes, long ephemeralStorageBytes) {
  public static final NodeCapacity UNKNOWN = new NodeCapacity(0, 0, 0);
}
