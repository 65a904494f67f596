package dev.berth.agent.pressure;

/// A node condition for a resource shortage.
public enum PressureCondition {
  MEMORY("MemoryPressure"),
  DISK("DiskPressure"),
  PID("PIDPressure");

  private final String condition;

  PressureCondition(String condition) {
    this.condition = condition;
  }

  /// The type of the condition.
  public String condition() {
    return condition;
  }
}
