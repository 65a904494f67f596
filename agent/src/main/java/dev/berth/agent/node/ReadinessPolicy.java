package dev.berth.agent.node;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// When a node with several runtime services counts as ready.
public enum ReadinessPolicy {
  /// When every service is.
  ALL,
  /// While one is; the scheduler avoids the others.
  PARTIAL;

  public static Optional<ReadinessPolicy> of(String text) {
    return Arrays.stream(values()).filter(policy -> policy.toString().equals(text)).findFirst();
  }

  /// As the flag spells it.
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
