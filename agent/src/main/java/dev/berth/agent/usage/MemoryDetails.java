package dev.berth.agent.usage;

/// What is known about memory beside what something works with.
///
/// @param usage with all of the page cache
/// @param resident not backed by files
/// @param faults and `majorFaults`: since it began
public record MemoryDetails(long usage, long resident, long faults, long majorFaults) {
  public static final MemoryDetails NOTHING = new MemoryDetails(0, 0, 0, 0);

  /// Nobody told.
  public static final MemoryDetails UNKNOWN = new MemoryDetails(-1, -1, -1, -1);

  public boolean isKnown() {
    return usage >= 0;
  }

  /// A sum of which a part is not known is not known either.
  MemoryDetails plus(MemoryDetails other) {
    return isKnown() && other.isKnown()
        ? new MemoryDetails(
            usage + other.usage,
            resident + other.resident,
            faults + other.faults,
            majorFaults + other.majorFaults)
        : UNKNOWN;
  }
}
