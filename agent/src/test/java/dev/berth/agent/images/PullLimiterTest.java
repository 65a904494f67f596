package dev.berth.agent.images;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.runtimes.testing.Await;
import dev.berth.client.fake.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class PullLimiterTest {
  private final ManualTime time = new ManualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  @AfterEach
  void end() {
    threads.shutdownNow();
  }

  private Future<PullLimiter.Place> waiting(PullLimiter places) {
    return threads.submit((Callable<PullLimiter.Place>) places::take);
  }

  @Test
  void noMoreThanThatPullAtATime() throws Exception {
    PullLimiter places = new PullLimiter(1, time);
    PullLimiter.Place first = places.take();
    Future<PullLimiter.Place> second = waiting(places);

    time.advance(Duration.ofSeconds(59));
    assertThat(second.isDone()).isFalse();

    first.close();
    assertThat(second.get(120, SECONDS)).isNotNull();
  }

  @Test
  void aPullThatDoesNotEndKeepsNobodyWaiting() throws Exception {
    PullLimiter places = new PullLimiter(1, time);
    PullLimiter.Place stalled = places.take();
    Future<PullLimiter.Place> next = waiting(places);

    time.advance(Duration.ofMinutes(1));
    PullLimiter.Place second = next.get(120, SECONDS);

    stalled.close();
    Future<PullLimiter.Place> third = waiting(places);
    assertThat(third.isDone()).as("a place is given away once").isFalse();
    second.close();
    Await.until("the third has its place", third::isDone);
  }

  @Test
  void aPullThatEndedLeavesNothingBehind() throws Exception {
    PullLimiter places = new PullLimiter(1, time);
    places.take().close();
    assertThat(time.pendingCount()).isZero();
  }
}
