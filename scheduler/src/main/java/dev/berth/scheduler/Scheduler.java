package dev.berth.scheduler;

import dev.berth.client.ApiException;
import dev.berth.client.ClientException;
import dev.berth.scheduler.SchedulingState.Attempt;
import dev.berth.scheduler.cluster.ClusterState;
import dev.berth.scheduler.cluster.NodeState;
import dev.berth.scheduler.placement.PlacementDecision;
import dev.berth.scheduler.placement.PlacementRefusal;
import dev.berth.scheduler.queue.QueuedPod;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The scheduling loop. It decides about one pod after the other in memory; bindings and reports
/// are sent concurrently, so that the server's latency does not limit the rate.
final class Scheduler implements AutoCloseable {
  /// Binds a pod to a node on the server.
  @FunctionalInterface
  interface Binding {
    void bind(QueuedPod pod, String node);
  }

  private static final Logger log = LoggerFactory.getLogger(Scheduler.class);
  private static final int BINDS_AT_ONCE = 64;
  private static final Duration CLOSING = Duration.ofSeconds(5);

  private final SchedulingState state;
  private final ClusterFeed feed;
  private final Binding binding;
  private final SchedulingReporter reporter;
  private final SchedulerMetrics metrics;
  private final Semaphore room = new Semaphore(BINDS_AT_ONCE);
  private final ExecutorService binds =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("scheduler-bind-", 0).factory());
  private final Thread thread;

  Scheduler(
      SchedulingState state,
      ClusterFeed feed,
      Binding binding,
      SchedulingReporter reporter,
      SchedulerMetrics metrics) {
    this.state = state;
    this.feed = feed;
    this.binding = binding;
    this.reporter = reporter;
    this.metrics = metrics;
    this.thread = Thread.ofVirtual().name("scheduler").start(this::run);
  }

  private void run() {
    try {
      feed.awaitSynced();
      int nodes = state.read(ClusterState::size);
      log.info("scheduler ready nodes={}", nodes);
      while (true) {
        scheduleOne();
      }
    } catch (InterruptedException _) {
      log.debug("scheduler ends");
    }
  }

  /// One attempt: filter and score the nodes, assume the pod on the best one and bind it; or report
  /// why there is none.
  private void scheduleOne() throws InterruptedException {
    room.acquire();
    boolean handedOver = false;
    try {
      Attempt attempt = state.next();
      long start = attempt.startNanos();
      switch (attempt.decision()) {
        case PlacementDecision.Chosen(NodeState node, _) -> {
          String name = node.name();
          binds.execute(() -> bindAndRelease(attempt.pod(), name, start));
          handedOver = true;
        }
        case PlacementDecision.Refused(PlacementRefusal refusal) ->
            refuse(attempt.pod(), refusal, start);
      }
    } catch (RuntimeException e) {
      // The top of this thread: one failing pod must not stop the others.
      log.error("a scheduling attempt failed", e);
    } finally {
      if (!handedOver) {
        room.release();
      }
    }
  }

  private void refuse(QueuedPod pod, PlacementRefusal refusal, long start) {
    metrics.unschedulable(pod.pod(), refusal, start);
    if (pod.updateMessage(refusal.message())) {
      log.debug("no node for pod={} reason={}", pod.pod().key(), refusal);
      reporter.refused(pod.pod(), refusal.message());
    }
  }

  private void bindAndRelease(QueuedPod pod, String node, long start) {
    try {
      bind(pod, node, start);
    } catch (RuntimeException e) {
      log.error("a bind failed pod={}", pod.pod().key(), e);
      state.rollBack(pod, true);
    } finally {
      room.release();
    }
  }

  private void bind(QueuedPod pod, String node, long start) {
    if (!state.isStillGood(pod, node)) {
      log.info("node no longer fits before binding pod={} node={}", pod.pod().key(), node);
      state.rollBack(pod, true);
      return;
    }
    try {
      bindTimed(pod, node);
      metrics.scheduled(pod, start);
      reporter.scheduled(pod.pod(), node);
    } catch (ApiException e) {
      // Not found: the pod was deleted. Conflict: another scheduler was faster, or the pod is being
      // deleted. The watch delivers which.
      log.info("not bound pod={} node={} reason={}", pod.pod().key(), node, e.getMessage());
      metrics.failed(pod.pod(), start);
      state.rollBack(pod, !e.isNotFound());
    } catch (ClientException e) {
      log.info("not bound pod={} node={} reason={}", pod.pod().key(), node, e.getMessage());
      metrics.failed(pod.pod(), start);
      state.rollBack(pod, true);
    }
  }

  private void bindTimed(QueuedPod pod, String node) {
    long start = System.nanoTime();
    boolean done = false;
    try {
      binding.bind(pod, node);
      done = true;
    } finally {
      metrics.bound(pod.pod(), done, System.nanoTime() - start);
    }
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      boolean _ = thread.join(CLOSING);
      binds.shutdown();
      if (!binds.awaitTermination(CLOSING.toNanos(), TimeUnit.NANOSECONDS)) {
        log.warn("binds did not end in time limit={}", CLOSING);
        binds.shutdownNow();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    feed.close();
    reporter.close();
  }
}
