package dev.berth.agent.pods.logs;

import java.time.Duration;

/// Limits of container logs.
///
/// @param largest bytes of one file
/// @param files per container, the current one included; at least 2
/// @param period between two checks
public record LogRules(long largest, int files, Duration period) {
  public static final LogRules STANDARD = new LogRules(10L << 20, 5, Duration.ofSeconds(10));
}
