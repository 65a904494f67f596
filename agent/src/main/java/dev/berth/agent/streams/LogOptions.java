package dev.berth.agent.streams;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The requested part of a log.
///
/// @param tail the number of last lines; null for all
/// @param since only lines from then on; null for all
/// @param limit the maximum number of bytes; null for all
public record LogOptions(
    boolean follow,
    boolean previous,
    boolean timestamps,
    @Nullable Long tail,
    @Nullable Instant since,
    @Nullable Long limit) {
  public static final LogOptions ALL = new LogOptions(false, false, false, null, null, null);
}
