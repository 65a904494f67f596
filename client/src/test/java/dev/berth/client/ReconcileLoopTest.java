package dev.berth.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.ReconcileLoop.Outcome;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ReconcileLoopTest {
  private final DelayedActions delays = DelayedActions.realTime();
  private final WorkQueue<String> queue =
      new WorkQueue<>(
          new Backoff(Duration.ofMillis(1), Duration.ofMillis(5), new Random(1)),
          delays,
          InstantSource.system());

  @AfterEach
  void close() {
    delays.close();
  }

  @Test
  void failingKeyIsTriedUntilItSucceeds() {
    AtomicInteger attempts = new AtomicInteger();
    try (ReconcileLoop<String> loop =
        ReconcileLoop.start(
            "test",
            queue,
            2,
            ReconcileLoop.Readiness.of(),
            _ -> {
              if (attempts.incrementAndGet() < 5) {
                throw new IllegalStateException("not yet");
              }
              return ReconcileLoop.SETTLED;
            })) {
      queue.add("a");

      Await.until(() -> attempts.get() == 5 && loop.stats().running() == 0);
      assertThat(loop.stats().failing()).isZero();
    }
  }

  @Test
  void oneStuckKeyDoesNotDelayTheOthers() {
    CountDownLatch stuck = new CountDownLatch(1);
    Map<String, Boolean> done = new ConcurrentHashMap<>();
    try (var _ =
        ReconcileLoop.start(
            "test",
            queue,
            2,
            ReconcileLoop.Readiness.of(),
            key -> {
              if (key.equals("stuck")) {
                awaitQuietly(stuck);
              }
              done.put(key, true);
              return ReconcileLoop.SETTLED;
            })) {
      queue.add("stuck");
      for (int i = 0; i < 10; i++) {
        queue.add("k" + i);
      }
      Await.until(() -> done.size() == 10);
      assertThat(done).doesNotContainKey("stuck");
    }
  }

  @Test
  void unfinishedKeyIsLookedAtAgain() {
    AtomicInteger looks = new AtomicInteger();
    try (var _ =
        ReconcileLoop.start(
            "test",
            queue,
            1,
            ReconcileLoop.Readiness.of(),
            _ ->
                switch (looks.incrementAndGet()) {
                  case 1 -> new Outcome.NotYet(Duration.ofSeconds(100));
                  case 2 -> new Outcome.LookAgain(Duration.ofMillis(1));
                  default -> ReconcileLoop.SETTLED;
                })) {
      queue.add("a");

      Await.until(() -> looks.get() == 3);
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
