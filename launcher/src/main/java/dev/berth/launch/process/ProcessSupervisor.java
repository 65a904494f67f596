package dev.berth.launch.process;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Starts a process unless it runs, and restarts it when it exits unexpectedly, as a service
/// manager does.
///
/// One virtual thread per process does all starts, so that two starts never overlap. Back-off
/// doubles with each exit within a minute, up to 32 times the first pause.
public final class ProcessSupervisor implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ProcessSupervisor.class);

  /// A process that ran longer counts as healthy, and its next exit is restarted at once.
  private static final Duration STEADY = Duration.ofMinutes(1);

  private static final int MOST_DOUBLINGS = 5;

  /// Starts the process unless it runs; returns when it serves.
  public interface Start {
    void run() throws IOException;
  }

  private final String name;
  private final Supplier<Optional<? extends CompletableFuture<?>>> running;
  private final Start start;
  private final Duration pause;
  private final CountDownLatch closing = new CountDownLatch(1);

  /// Why the first start failed; empty when it did not.
  private final CompletableFuture<String> first = new CompletableFuture<>();

  private final Thread thread;

  private ProcessSupervisor(
      String name,
      Supplier<Optional<? extends CompletableFuture<?>>> running,
      Start start,
      Duration pause) {
    this.name = name;
    this.running = running;
    this.start = start;
    this.pause = pause;
    this.thread = Thread.ofVirtual().name("keeper-" + name).unstarted(this::run);
  }

  /// Begins to supervise, on a thread of its own.
  ///
  /// @param running completes when the process ends; empty when it does not run
  /// @param pause the first back-off, which doubles with each early exit
  public static ProcessSupervisor of(
      String name,
      Supplier<Optional<? extends CompletableFuture<?>>> running,
      Start start,
      Duration pause) {
    ProcessSupervisor supervisor = new ProcessSupervisor(name, running, start, pause);
    supervisor.thread.start();
    return supervisor;
  }

  private void run() {
    try {
      boolean isUp = start(first);
      int failures = 0;
      while (true) {
        long begun = System.nanoTime();
        if (isUp) {
          awaitEnd();
        }
        failures = System.nanoTime() - begun > STEADY.toNanos() ? 0 : failures;
        long wait = wait(failures);
        if (isUp) {
          logEnd(wait);
        }
        if (closing.await(wait, TimeUnit.MILLISECONDS)) {
          return;
        }
        failures++;
        isUp = isUp ? startAgain() : start().isEmpty();
      }
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  private void awaitEnd() throws InterruptedException {
    Optional<? extends CompletableFuture<?>> end = running.get();
    if (end.isPresent()) {
      try {
        end.get().get();
      } catch (ExecutionException _) {
        // The process is gone, whatever its exit status.
      }
    }
  }

  /// Milliseconds until the next start; zero before the first restart.
  private long wait(int failures) {
    return failures == 0 ? 0 : pause.toMillis() << Math.min(failures - 1, MOST_DOUBLINGS);
  }

  private void logEnd(long wait) {
    if (closing.getCount() > 0) {
      log.warn(
          "process exited name={} restart={}; what it started keeps running",
          name,
          wait == 0 ? "now" : Duration.ofMillis(wait).toSeconds() + "s (back-off)");
    }
  }

  /// Whether the start succeeded. A failed start is retried even if the process runs, because a
  /// later part of the start may be missing.
  private boolean start(CompletableFuture<String> outcome) {
    String why = start();
    outcome.complete(why);
    return why.isEmpty();
  }

  private boolean startAgain() {
    boolean isUp = start().isEmpty();
    if (isUp) {
      log.info("{} serves again", name);
    }
    return isUp;
  }

  /// Starts the process; returns why that failed, or an empty text.
  private String start() {
    try {
      start.run();
      return "";
    } catch (IOException | RuntimeException e) {
      if (closing.getCount() > 0) {
        log.warn("process not started, will retry name={} reason={}", name, e.getMessage());
      }
      return String.valueOf(e.getMessage());
    }
  }

  /// Waits until the first start has finished; after the time limit the start continues.
  ///
  /// @return why the process does not serve; empty if it does
  public String awaitFirstStart(Duration patience) {
    try {
      return first.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException _) {
      return "it does not answer yet";
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return "interrupted";
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Ends supervision; the process keeps running.
  @Override
  public void close() {
    closing.countDown();
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
