package dev.berth.agent.pods.observed;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Times in CRI: nanoseconds since the epoch, zero for none.
final class CriTimestamps {
  private static final long BILLION = 1_000_000_000;

  private CriTimestamps() {}

  static Instant instant(long nanos) {
    return Instant.ofEpochSecond(Math.floorDiv(nanos, BILLION), Math.floorMod(nanos, BILLION));
  }

  static @Nullable Instant nullable(long nanos) {
    return nanos <= 0 ? null : instant(nanos);
  }
}
