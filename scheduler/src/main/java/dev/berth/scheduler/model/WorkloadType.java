package dev.berth.scheduler.model;

import java.util.Locale;

/// What a runtime service runs.
public enum WorkloadType {
  CONTAINER,
  VM;

  static WorkloadType of(String text) {
    return text.equals("vm") ? VM : CONTAINER;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
