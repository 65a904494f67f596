package dev.berth.agent.usage;

/// Processor time and memory of one subject.
///
/// @param cpu nanoseconds over all processors since its start
/// @param memory the working set in bytes
public record ResourceUsage(long cpu, long memory, MemoryDetails details) {
  public static final ResourceUsage NONE = new ResourceUsage(0, 0, MemoryDetails.NOTHING);

  public ResourceUsage(long cpu, long memory) {
    this(cpu, memory, MemoryDetails.UNKNOWN);
  }

  public ResourceUsage plus(ResourceUsage other) {
    return new ResourceUsage(cpu + other.cpu, memory + other.memory, details.plus(other.details));
  }
}
