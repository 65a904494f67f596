package dev.berth.agent.runtimes;

import dev.berth.client.DelayedActions;
import dev.berth.cri.CriException;
import dev.berth.cri.RuntimeClient;
import dev.berth.cri.v1.PodSandbox;
import dev.berth.cri.v1.PodSandboxFilter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Lists a runtime service's sandboxes, with retries until the first answer.
final class RecoveryLoop {
  private static final Logger log = LoggerFactory.getLogger(RecoveryLoop.class);

  /// Closing does not wait for a call to a runtime that hangs; the call's own deadline ends it.
  private static final Duration LONGEST_END = Duration.ofSeconds(5);

  /// Pods of the service wait for the recovery, so the first attempts follow each other closely.
  private static final Duration FIRST_RETRY = Duration.ofMillis(100);

  private static final Duration LONGEST_RETRY = Duration.ofSeconds(1);

  private final String service;
  private final RuntimeClient runtime;
  private final DelayedActions delays;
  private final Consumer<List<PodSandbox>> answer;
  private final Thread thread;

  private RecoveryLoop(
      String service,
      RuntimeClient runtime,
      DelayedActions delays,
      Consumer<List<PodSandbox>> answer) {
    this.service = service;
    this.runtime = runtime;
    this.delays = delays;
    this.answer = answer;
    this.thread = Thread.ofVirtual().name("runtime-recovery-" + service).unstarted(this::run);
  }

  /// Starts the loop.
  ///
  /// @param answer receives the sandboxes, once
  static RecoveryLoop start(
      String service,
      RuntimeClient runtime,
      DelayedActions delays,
      Consumer<List<PodSandbox>> answer) {
    var loop = new RecoveryLoop(service, runtime, delays, answer);
    loop.thread.start();
    return loop;
  }

  private void run() {
    Duration wait = FIRST_RETRY;
    try {
      while (!ask(wait.equals(FIRST_RETRY))) {
        pause(wait);
        Duration doubled = wait.multipliedBy(2);
        wait = doubled.compareTo(LONGEST_RETRY) < 0 ? doubled : LONGEST_RETRY;
      }
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  private boolean ask(boolean firstTime) throws InterruptedException {
    try {
      answer.accept(runtime.listPodSandboxes(PodSandboxFilter.getDefaultInstance()));
      return true;
    } catch (CriException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      if (firstTime) {
        log.info(
            "pods of the service are unknown until it answers service={} reason={}",
            service,
            e.reason());
      }
      return false;
    }
  }

  private void pause(Duration time) throws InterruptedException {
    var over = new CountDownLatch(1);
    DelayedActions.Pending pending = delays.after(time, over::countDown);
    try {
      over.await();
    } finally {
      pending.cancel();
    }
  }

  void close() {
    thread.interrupt();
    try {
      thread.join(LONGEST_END);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
