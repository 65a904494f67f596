package dev.berth.agent.images;

import dev.berth.client.DelayedActions;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/// Bounds the concurrent pulls of one image service, first come, first served.
///
/// Whether a long pull makes progress is not visible from outside, and a stalled registry may keep
/// one open forever. A long pull therefore continues, but gives its place to the next.
final class PullLimiter {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Semaphore free;
  private final DelayedActions delays;

  PullLimiter(int parallel, DelayedActions delays) {
    this.free = new Semaphore(parallel, true);
    this.delays = delays;
  }

  /// Waits for a place.
  Place take() throws InterruptedException {
    free.acquire();
    return new Place();
  }

  /// A place; released by closing it, or earlier when it is held for long.
  final class Place implements AutoCloseable {
    private final AtomicBoolean held = new AtomicBoolean(true);
    private final DelayedActions.Pending leaving = delays.after(PATIENCE, this::leave);

    private void leave() {
      if (held.getAndSet(false)) {
        free.release();
      }
    }

    @Override
    public void close() {
      leaving.cancel();
      leave();
    }
  }
}
