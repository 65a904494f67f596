package dev.berth.agent.pods.plan;

import java.time.Instant;

/// A container whose end has begun.
///
/// @param grace its grace period at that time
/// @param since the start of its preStop hook
/// @param isReady whether the hook is over, so that only the order of containers delays the stop
public record StoppingContainer(GracePeriod grace, Instant since, boolean isReady) {
  public StoppingContainer ready() {
    return new StoppingContainer(grace, since, true);
  }

  /// When the hook's time ends. A hook that began late still gets the minimum.
  Instant hookEnd(GracePeriod now) {
    Instant least = since.plus(GracePeriod.LEAST);
    return now.end().isBefore(least) ? least : now.end();
  }
}
