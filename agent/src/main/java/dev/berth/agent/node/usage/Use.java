package dev.berth.agent.node.usage;

/// Processor time and memory that something uses.
///
/// @param cpu nanoseconds of all processors since it began
/// @param memory bytes that it works with
public record Use(long cpu, long memory, MemoryDetails details) {
  public static final Use NONE = new Use(0, 0, MemoryDetails.NOTHING);

  public Use(long cpu, long memory) {
    this(cpu, memory, MemoryDetails.UNKNOWN);
  }

  Use plus(Use other) {
    return new Use(cpu + other.cpu, memory + other.memory, details.plus(other.details));
  }
}
