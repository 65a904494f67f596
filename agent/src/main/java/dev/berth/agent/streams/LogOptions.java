package dev.berth.agent.streams;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Which part of a log is wanted, and how.
///
/// @param tail so many lines at the end; null for all
/// @param since only what was written from then on; null for all
/// @param limit so many bytes at most; null for all
public record LogOptions(
    boolean follow,
    boolean previous,
    boolean timestamps,
    @Nullable Long tail,
    @Nullable Instant since,
    @Nullable Long limit) {
  public static final LogOptions ALL = new LogOptions(false, false, false, null, null, null);
}
