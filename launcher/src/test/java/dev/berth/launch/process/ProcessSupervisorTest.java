package dev.berth.launch.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
final class ProcessSupervisorTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  private final BlockingQueue<String> started = new LinkedBlockingQueue<>();
  private volatile @Nullable CompletableFuture<String> end = new CompletableFuture<>();

  @Test
  void whatEndsIsStartedAgainUntilItIsLeftAlone() throws InterruptedException {
    try (ProcessSupervisor supervisor =
        ProcessSupervisor.of("it", this::running, () -> start("well"), Duration.ofMillis(1))) {
      assertThat(supervisor.awaitFirstStart(LONG)).isEmpty();
      assertThat(started.poll()).isEqualTo("well");
      for (int i = 0; i < 3; i++) {
        end("killed");
        assertThat(started.poll(120, TimeUnit.SECONDS)).isEqualTo("well");
      }
    }
    end("killed");
    assertThat(started).isEmpty();
  }

  @Test
  void aStartThatFailsIsTriedAgain() throws InterruptedException {
    ProcessSupervisor.Start failing =
        () -> {
          started.add("badly");
          throw new IOException("no room");
        };
    end = null;
    try (ProcessSupervisor supervisor =
        ProcessSupervisor.of("it", this::running, failing, Duration.ofMillis(1))) {
      assertThat(supervisor.awaitFirstStart(LONG)).isEqualTo("no room");
      assertThat(started.poll(120, TimeUnit.SECONDS)).isEqualTo("badly");
      assertThat(started.poll(120, TimeUnit.SECONDS)).isEqualTo("badly");
    }
  }

  @Test
  void aStartThatFailsHalfWayIsTriedAgainThoughTheProcessRuns() throws InterruptedException {
    ProcessSupervisor.Start halfWay =
        () -> {
          started.add("once");
          if (started.size() < 3) {
            throw new IOException("images are missing");
          }
        };
    try (ProcessSupervisor supervisor =
        ProcessSupervisor.of("it", this::running, halfWay, Duration.ofMillis(1))) {
      assertThat(supervisor.awaitFirstStart(LONG)).isEqualTo("images are missing");
      long end = System.nanoTime() + LONG.toNanos();
      while (started.size() < 3 && System.nanoTime() < end) {
        Thread.onSpinWait();
      }
      assertThat(started).hasSize(3);
    }
  }

  @Test
  void oneThatHangsIsNotWaitedForButLookedAfterFurther() throws InterruptedException {
    CountDownLatch answers = new CountDownLatch(1);
    ProcessSupervisor.Start hanging =
        () -> {
          try {
            answers.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
          started.add("late");
        };
    try (ProcessSupervisor supervisor =
        ProcessSupervisor.of("it", this::running, hanging, Duration.ofMillis(1))) {
      assertThat(supervisor.awaitFirstStart(Duration.ZERO)).isEqualTo("it does not answer yet");
      answers.countDown();
      assertThat(supervisor.awaitFirstStart(LONG)).isEmpty();
      assertThat(started.poll(120, TimeUnit.SECONDS)).isEqualTo("late");
    }
  }

  private Optional<CompletableFuture<String>> running() {
    return Optional.ofNullable(end);
  }

  private void start(String how) {
    end = new CompletableFuture<>();
    started.add(how);
  }

  private void end(String how) {
    CompletableFuture<String> present = end;
    if (present != null) {
      present.complete(how);
    }
  }
}
