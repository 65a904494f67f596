package dev.berth.agent.pods.act;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.pods.act.RuntimeStartLimiter.Stage;
import dev.berth.agent.runtimes.testing.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class RuntimeStartLimiterTest {
  private static final Duration FOREVER = Duration.ofHours(1);

  private final List<String> began = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch end = new CountDownLatch(1);
  private final List<Thread> threads = new ArrayList<>();

  @AfterEach
  void endAll() throws InterruptedException {
    end.countDown();
    for (Thread thread : threads) {
      assertThat(thread.join(Duration.ofMinutes(2))).isTrue();
    }
  }

  /// Begins a call that lasts until the end of the test, or waits for its turn.
  private Thread call(RuntimeStartLimiter startLimiter, String service, Stage stage, String name) {
    Thread thread =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    startLimiter.take(service, stage, () -> began.add(name) && awaitEnd());
                  } catch (InterruptedException _) {
                    began.add("interrupted " + name);
                  }
                });
    threads.add(thread);
    Await.until(
        "calls to begin",
        () -> began.contains(name) || thread.getState() == Thread.State.TIMED_WAITING);
    return thread;
  }

  private boolean awaitEnd() {
    try {
      return end.await(120, SECONDS);
    } catch (InterruptedException _) {
      return false;
    }
  }

  @Test
  void noMoreThanThatAreAtWork() {
    RuntimeStartLimiter startLimiter = new RuntimeStartLimiter(new StartLimits(3, FOREVER), 1);
    for (int i = 0; i < 10; i++) {
      call(startLimiter, "one", Stage.SANDBOX, "call " + i);
    }
    assertThat(began).containsExactly("call 0", "call 1", "call 2");
    end.countDown();
    Await.until("calls to begin", () -> began.size() == 10);
  }

  @Test
  void thoseWhoAreFurthestGoFirst() {
    RuntimeStartLimiter startLimiter = new RuntimeStartLimiter(new StartLimits(1, FOREVER), 1);
    call(startLimiter, "one", Stage.SANDBOX, "at work");
    call(startLimiter, "one", Stage.SANDBOX, "first sandbox");
    call(startLimiter, "one", Stage.SANDBOX, "second sandbox");
    call(startLimiter, "one", Stage.CREATE, "create");
    call(startLimiter, "one", Stage.START, "start");
    end.countDown();
    Await.until("calls to begin", () -> began.size() == 5);
    assertThat(began)
        .containsExactly("at work", "start", "create", "first sandbox", "second sandbox");
  }

  @Test
  void aCallThatTakesLongKeepsNobodyWaiting() {
    RuntimeStartLimiter startLimiter =
        new RuntimeStartLimiter(new StartLimits(1, Duration.ofMillis(5)), 1);
    call(startLimiter, "one", Stage.SANDBOX, "hangs");
    call(startLimiter, "one", Stage.SANDBOX, "next");
    Await.until("calls to begin", () -> began.contains("next"));
  }

  @Test
  void servicesDoNotWaitForEachOther() {
    RuntimeStartLimiter startLimiter = new RuntimeStartLimiter(new StartLimits(1, FOREVER), 1);
    call(startLimiter, "one", Stage.SANDBOX, "hangs");
    call(startLimiter, "two", Stage.SANDBOX, "other");
    assertThat(began).containsExactly("hangs", "other");
  }

  @Test
  void whoGivesUpLeavesItsPlaceToTheNext() throws InterruptedException {
    RuntimeStartLimiter startLimiter = new RuntimeStartLimiter(new StartLimits(1, FOREVER), 1);
    call(startLimiter, "one", Stage.SANDBOX, "at work");
    Thread first = call(startLimiter, "one", Stage.SANDBOX, "first");
    call(startLimiter, "one", Stage.SANDBOX, "second");
    first.interrupt();
    assertThat(first.join(Duration.ofMinutes(2))).isTrue();
    end.countDown();
    Await.until("calls to begin", () -> began.size() == 3);
    assertThat(began).containsExactly("at work", "interrupted first", "second");
  }
}
