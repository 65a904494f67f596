package dev.berth.agent.pressure;

/// A condition that a node has while it is short of something.
public enum PressureCondition {
  MEMORY("MemoryPressure"),
  DISK("DiskPressure"),
  PID("PIDPressure");

  private final String condition;

  PressureCondition(String condition) {
    this.condition = condition;
  }

  /// The type of the node's condition.
  public String condition() {
    return condition;
  }
}
