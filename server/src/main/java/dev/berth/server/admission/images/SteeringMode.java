package dev.berth.server.admission.images;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// What admission does with the platforms of a pod's images.
public enum SteeringMode {
  /// Nothing; no registry is asked.
  OFF,
  /// Refuses pods that no node could run, and changes none.
  REFUSE,
  /// Also narrows the node selector, or sets a RuntimeClass.
  SELECT;

  /// `off, refuse, select`, for messages.
  public static final String KNOWN =
      Arrays.stream(values()).map(SteeringMode::toString).collect(Collectors.joining(", "));

  public static Optional<SteeringMode> of(String text) {
    return Arrays.stream(values()).filter(mode -> mode.toString().equals(text)).findFirst();
  }

  /// As flags and labels spell it.
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
