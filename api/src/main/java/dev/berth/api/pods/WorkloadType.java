package dev.berth.api.pods;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// What a runtime service runs.
public enum WorkloadType {
  CONTAINER,
  VM;

  /// `container, vm`, for messages.
  public static final String KNOWN =
      Arrays.stream(values()).map(WorkloadType::toString).collect(Collectors.joining(", "));

  /// Empty for a text that names no workload type.
  public static Optional<WorkloadType> of(String text) {
    return Arrays.stream(values()).filter(type -> type.toString().equals(text)).findFirst();
  }

  /// As flags and files spell it.
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
