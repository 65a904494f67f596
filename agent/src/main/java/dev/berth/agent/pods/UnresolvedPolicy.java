package dev.berth.agent.pods;

import java.util.Locale;
import java.util.Optional;

/// What becomes of a pod whose RuntimeClass, or its handler, is not there.
public enum UnresolvedPolicy {
  /// It fails, and says what is offered (KEP-585).
  FAIL,
  /// It is tried again for ever, as the kubelet does.
  RETRY;

  public static Optional<UnresolvedPolicy> parse(String text) {
    return switch (text) {
      case "fail" -> Optional.of(FAIL);
      case "retry" -> Optional.of(RETRY);
      default -> Optional.empty();
    };
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
