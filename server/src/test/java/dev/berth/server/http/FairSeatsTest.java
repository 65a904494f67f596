package dev.berth.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.http.Inflight.Place;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class FairSeatsTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  private final FairSeats seats = new FairSeats(4, 50, LONG);

  private Place enter(String flow) throws InterruptedException {
    return seats.enter(flow).orElseThrow();
  }

  @Test
  void whoAsksForManyLeavesASeatToOthers() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Optional<Place>>> hostile = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        hostile.add(threads.submit(() -> seats.enter("mallory")));
      }
      Gauge.await(() -> seats.waiting() == 37);

      Place ann = enter("ann");

      assertThat(seats.used()).isEqualTo(4);
      ann.leave();
      for (Future<Optional<Place>> one : hostile) {
        one.get().orElseThrow().leave();
      }
      assertThat(seats.used()).isZero();
      assertThat(seats.waiting()).isZero();
    }
  }

  @Test
  void flowsTakeTurns() throws Exception {
    FairSeats one = new FairSeats(1, 50, LONG);
    Place held = one.enter("mallory").orElseThrow();
    BlockingQueue<String> order = new LinkedBlockingQueue<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      int waiting = 0;
      for (String flow : List.of("mallory", "mallory", "mallory", "ann", "bob")) {
        Callable<Void> request =
            () -> {
              Place place = one.enter(flow).orElseThrow();
              order.add(flow);
              place.leave();
              return null;
            };
        Future<Void> _ = threads.submit(request);
        int expected = ++waiting;
        Gauge.await(() -> one.waiting() == expected);
      }
      held.leave();
      List<String> seen = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        seen.add(order.poll(60, TimeUnit.SECONDS));
      }
      assertThat(seen.subList(0, 3)).contains("ann", "bob");
    }
  }

  @Test
  void aFullQueueAndAnEndlessWaitAreRefused() throws Exception {
    FairSeats small = new FairSeats(1, 1, Duration.ofMillis(20));
    Place held = small.enter("mallory").orElseThrow();

    assertThat(small.enter("mallory")).isEmpty();
    assertThat(small.enter("ann")).isEmpty();
    assertThat(new FairSeats(1, 0, LONG).enter("ann")).isEmpty();
    assertThat(small.rejected()).isEqualTo(2);

    held.leave();
    small.enter("ann").orElseThrow().leave();
    assertThat(small.used()).isZero();
  }

  /// Waits for a condition.
  private static final class Gauge {
    private static void await(Callable<Boolean> condition) throws Exception {
      long end = System.nanoTime() + LONG.toNanos();
      while (!condition.call()) {
        assertThat(System.nanoTime()).isLessThan(end);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
      }
    }
  }
}
