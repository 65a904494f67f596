package dev.berth.server.podsecurity;

import java.util.Locale;
import java.util.Optional;

/// How strict a policy is, the least strict first.
public enum PolicyLevel {
  PRIVILEGED,
  BASELINE,
  RESTRICTED;

  /// What is accepted, for messages.
  static final String ACCEPTED = "must be one of privileged, baseline, restricted";

  static Optional<PolicyLevel> parse(String text) {
    for (PolicyLevel level : values()) {
      if (level.toString().equals(text)) {
        return Optional.of(level);
      }
    }
    return Optional.empty();
  }

  /// As labels and files spell it.
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
