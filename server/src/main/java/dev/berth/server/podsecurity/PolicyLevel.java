package dev.berth.server.podsecurity;

import java.util.Locale;
import java.util.Optional;

/// The levels of the Pod Security Standards, least strict first.
public enum PolicyLevel {
  PRIVILEGED,
  BASELINE,
  RESTRICTED;

  /// Accepted values, for messages.
  static final String ACCEPTED = "must be one of privileged, baseline, restricted";

  static Optional<PolicyLevel> parse(String text) {
    for (PolicyLevel level : values()) {
      if (level.toString().equals(text)) {
        return Optional.of(level);
      }
    }
    return Optional.empty();
  }

  /// The name in labels and files.
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
