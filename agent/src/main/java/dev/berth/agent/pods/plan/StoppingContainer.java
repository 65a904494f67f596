package dev.berth.agent.pods.plan;

import java.time.Instant;

/// A container whose end has begun.
///
/// @param grace what it was given then
/// @param since when its preStop hook, if it has one, was begun
/// @param isReady nothing keeps it from being stopped but its turn: the hook is over
public record StoppingContainer(GracePeriod grace, Instant since, boolean isReady) {
  public StoppingContainer ready() {
    return new StoppingContainer(grace, since, true);
  }

  /// How long its hook may take, given that; also one that was begun late gets the least.
  Instant hookEnd(GracePeriod now) {
    Instant least = since.plus(GracePeriod.LEAST);
    return now.end().isBefore(least) ? least : now.end();
  }
}
