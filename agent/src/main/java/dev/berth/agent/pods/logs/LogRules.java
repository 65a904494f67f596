package dev.berth.agent.pods.logs;

import java.time.Duration;

/// How large logs of containers may get.
///
/// @param largest of one file, in bytes
/// @param files of one container, the one being written among them; at least 2
/// @param period between two looks at them
public record LogRules(long largest, int files, Duration period) {
  public static final LogRules STANDARD = new LogRules(10L << 20, 5, Duration.ofSeconds(10));
}
