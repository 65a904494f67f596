package dev.berth.agent.images;

import dev.berth.client.DelayedActions;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/// The pulls that one image service does at a time; who asks first is first.
///
/// Nobody can see from outside whether a long pull still moves, and a registry that stalls may keep
/// one open for ever. So a pull goes on as long as it likes, but gives its place to the next.
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

  /// Is free again when it is left, or before that when it was held for long.
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
