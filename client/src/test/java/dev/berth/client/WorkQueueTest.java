package dev.berth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.client.fake.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class WorkQueueTest {
  private final ManualTime time = new ManualTime(Instant.EPOCH);
  private final WorkQueue<String> queue =
      new WorkQueue<>(WorkQueue.usualBackoff(new Random(1)), time, time);

  @Test
  void keyAddedTwiceIsTakenOnce() throws InterruptedException {
    queue.add("a");
    queue.add("b");
    queue.add("a");

    assertThat(queue.take()).isEqualTo("a");
    assertThat(queue.take()).isEqualTo("b");
    assertThat(queue.stats().depth()).isZero();
  }

  @Test
  void keyAddedWhileItIsWorkedOnWaitsForTheWorker() throws InterruptedException {
    queue.add("a");
    String key = queue.take();

    queue.add(key);
    assertThat(queue.stats().depth()).isZero();
    queue.done(key);

    assertThat(queue.stats().depth()).isEqualTo(1);
  }

  @Test
  void shortestOfSeveralDelaysCounts() {
    queue.addAfter("a", Duration.ofSeconds(10));
    queue.addAfter("a", Duration.ofSeconds(3));
    queue.addAfter("a", Duration.ofSeconds(5));

    time.advance(Duration.ofSeconds(2));
    assertThat(queue.stats().depth()).isZero();
    time.advance(Duration.ofSeconds(1));
    assertThat(queue.stats().depth()).isEqualTo(1);
    assertThat(time.pendingCount()).isZero();
  }

  @Test
  void addingAtOnceCancelsTheDelay() throws InterruptedException {
    queue.addAfter("a", Duration.ofSeconds(10));
    queue.add("a");
    queue.done(queue.take());

    time.advance(Duration.ofSeconds(20));

    assertThat(queue.stats().depth()).isZero();
  }

  @Test
  void delaysBetweenFailuresDoubleUpToTheLongest() throws InterruptedException {
    Duration expected = Duration.ofMillis(5);
    for (int failure = 0; failure < 25; failure++) {
      queue.retry("a");
      time.advance(expected.minusNanos(1));
      assertThat(queue.stats().depth()).as("after failure %d", failure).isZero();
      time.advance(expected.dividedBy(10).plusNanos(1));
      assertThat(queue.stats().depth()).isEqualTo(1);
      queue.done(queue.take());
      Duration doubled = expected.multipliedBy(2);
      expected =
          doubled.compareTo(Duration.ofSeconds(1000)) > 0 ? Duration.ofSeconds(1000) : doubled;
    }
    assertThat(queue.failures("a")).isEqualTo(25);
    assertThat(queue.forget("a")).isEqualTo(25);
    assertThat(queue.stats().failing()).isZero();
  }

  @Test
  void serverSaysHowLongToWaitAtLeast() {
    queue.retry("a", Duration.ofSeconds(7));

    time.advance(Duration.ofSeconds(6));
    assertThat(queue.stats().depth()).isZero();
    time.advance(Duration.ofSeconds(1));
    assertThat(queue.stats().depth()).isEqualTo(1);
  }

  @Test
  void closedQueueForgetsEverythingAndWakesItsWorkers() throws InterruptedException {
    Thread worker =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    queue.take();
                  } catch (InterruptedException _) {
                    // What the test waits for.
                  }
                });
    queue.addAfter("later", Duration.ofSeconds(1));

    queue.close();

    assertThat(worker.join(Duration.ofMinutes(2))).isTrue();
    assertThat(time.pendingCount()).isZero();
    queue.add("a");
    assertThatThrownBy(queue::take).isInstanceOf(InterruptedException.class);
  }
}
