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
///
/// Upstream has the same two halves, a serial scheduling cycle and concurrent binding cycles. The
/// serial half needs no lock between attempts: each attempt sees the pods that earlier ones
/// assumed.
final class Scheduler implements AutoCloseable {
  /// Binds a pod to a node on the server.
  @FunctionalInterface
  interface Binding {
    void bind(QueuedPod pod, String node);
  }

  private static final Logger log = LoggerFactory.getLogger(Scheduler.class);
  // Bounds the requests in flight at the server, and with them how many pods are assumed without
  // being bound. When all are in use, the loop waits, and pods wait in the queue, where they can
  // still change.
  private static final int BINDS_AT_ONCE = 64;
  // Binds that are already sent may finish. The next leader starts from what the API server says,
  // so a bind that is cut off after this time is either visible there or repeated.
  private static final Duration CLOSING = Duration.ofSeconds(5);

  private final SchedulingState state;
  private final ClusterFeed feed;
  private final Binding binding;
  private final SchedulingReporter reporter;
  private final SchedulerMetrics metrics;
  // Acquired before a pod is taken from the queue, so that the decision is fresh when its bind is
  // sent. Released by the bind's thread, or by the loop when the attempt has no bind.
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
      // Scheduling on a partial picture would overcommit nodes whose pods are not listed yet.
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
    // A pod that is refused again for the same reasons writes nothing: otherwise a full cluster
    // turns every event into a patch and an event for each waiting pod.
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
    // Between the decision and this thread the node may have gone or lost its runtime. The check
    // takes the lock briefly; without it the bind would succeed, and the agent would reject the
    // pod.
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
      // No answer: the bind may have been made all the same. A second one then gets a conflict, and
      // the watch delivers the binding, which removes the pod from the queue.
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
    // The loop ends first, so that no new bind is handed over while the running ones are awaited.
    // The feed closes after them, because it delivers what the binds have changed.
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
