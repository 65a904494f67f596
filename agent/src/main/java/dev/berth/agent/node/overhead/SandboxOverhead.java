package dev.berth.agent.node.overhead;

import java.util.OptionalLong;

/// What the sandboxes of one handler cost on this node beyond their containers.
///
/// @param pods measured sandboxes
/// @param memoryBytes the median
/// @param largestBytes the sandbox that costs the most memory
/// @param milliCores the median; empty until two readings exist
public record SandboxOverhead(
    String handler, int pods, long memoryBytes, long largestBytes, OptionalLong milliCores) {
  private static final long MEBIBYTE = 1L << 20;

  /// Differences below these are noise: a node is not written again for them.
  private static final long MEMORY_NOISE = 2 * MEBIBYTE;

  private static final long CPU_NOISE = 2;
  private static final double CHANGE = 0.1;

  /// Whether an observer should learn of the new values.
  boolean differsFrom(SandboxOverhead other) {
    return isChange(memoryBytes, other.memoryBytes, MEMORY_NOISE)
        || isChange(largestBytes, other.largestBytes, MEMORY_NOISE)
        || milliCores.isPresent() != other.milliCores.isPresent()
        || isChange(milliCores.orElse(0), other.milliCores.orElse(0), CPU_NOISE);
  }

  private static boolean isChange(long now, long before, long noise) {
    long difference = Math.abs(now - before);
    return difference > noise && difference > before * CHANGE;
  }
}
