package dev.berth.agent.usage;

/// Memory figures beside the working set.
///
/// @param usage with the whole page cache
/// @param resident not backed by files
/// @param faults and `majorFaults`: since the start
public record MemoryDetails(long usage, long resident, long faults, long majorFaults) {
  public static final MemoryDetails NOTHING = new MemoryDetails(0, 0, 0, 0);

  /// Nothing is reported.
  public static final MemoryDetails UNKNOWN = new MemoryDetails(-1, -1, -1, -1);

  public boolean isKnown() {
    return usage >= 0;
  }

  /// A sum with an unknown part is unknown.
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
