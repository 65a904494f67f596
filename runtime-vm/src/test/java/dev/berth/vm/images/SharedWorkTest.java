package dev.berth.vm.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.registry.transport.TimeBudget;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// One of several does what all need.
final class SharedWorkTest {
  private static final TimeBudget MINUTE = TimeBudget.startingNow(Duration.ofMinutes(1));

  private final SharedWork shared = new SharedWork();
  private final AtomicInteger runs = new AtomicInteger();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch end = new CountDownLatch(1);

  /// Work that runs until the test ends it.
  private Future<?> first(ExecutorService threads, boolean fails) throws InterruptedException {
    Future<?> first =
        threads.submit(
            () -> {
              shared.run(
                  "key",
                  MINUTE,
                  () -> {
                    runs.incrementAndGet();
                    begun.countDown();
                    end.await();
                    if (fails) {
                      throw new IOException("first");
                    }
                  });
              return true;
            });
    begun.await();
    return first;
  }

  private Future<?> second(ExecutorService threads) {
    return threads.submit(
        () -> {
          shared.run("key", MINUTE, runs::incrementAndGet);
          return true;
        });
  }

  @Test
  void whoComesLaterWaitsForTheFirst() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> first = first(threads, false);
      Future<?> second = second(threads);
      end.countDown();
      first.get();
      second.get();
    }
    // The second may have come after the end of the first, and then has to look for itself.
    assertThat(runs.get()).isBetween(1, 2);
  }

  @Test
  void whoComesLaterTriesForItselfIfTheFirstFails() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> first = first(threads, true);
      Future<?> second = second(threads);
      end.countDown();
      assertThatThrownBy(first::get).hasMessageContaining("first");
      second.get();
    }
    assertThat(runs.get()).isEqualTo(2);
  }

  @Test
  void waitingIsBounded() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> first = first(threads, false);
      TimeBudget none = TimeBudget.startingNow(Duration.ofMillis(1));
      assertThatThrownBy(() -> shared.run("key", none, runs::incrementAndGet))
          .isInstanceOf(TimeoutException.class);
      end.countDown();
      first.get();
    }
    assertThat(runs.get()).isEqualTo(1);
  }
}
