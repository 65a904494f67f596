package dev.berth.agent.pods.worker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.agent.pods.references.PodJson;
import dev.berth.agent.pods.status.StatusFacts.PodFailure;
import dev.berth.agent.pods.status.StatusWriter;
import dev.berth.agent.pods.worker.WorkerInbox.Mail;
import dev.berth.api.pods.PodPhase;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Follows one pod: takes in what happens to it and reconciles it ([PodSync]); then waits for the
/// next signal.
///
/// One virtual thread; fields without a comment are confined to it. The worker never waits for a
/// runtime service or the API server.
public final class PodWorker {
  private static final Logger log = LoggerFactory.getLogger(PodWorker.class);

  /// The worker never waits for others, so it ends at once; the limit is for a bug.
  private static final Duration CLOSING = Duration.ofSeconds(5);

  private final WorkerDependencies dependencies;
  private final WorkerInbox inbox = new WorkerInbox();
  private final Runnable over;
  private final StatusWriter writer;
  private final PodSync sync;
  private final Thread thread;
  private boolean gone;

  private volatile boolean closed;

  /// Written by the worker, read by anybody.
  private volatile Pod pod;

  /// @param others all pods of the node
  /// @param over called once, when the pod is completely removed
  PodWorker(Pod pod, WorkerDependencies dependencies, PodWorkers others, Runnable over) {
    this.pod = pod;
    this.dependencies = dependencies;
    this.over = over;
    this.writer = dependencies.writer(pod, inbox::wake);
    this.sync = new PodSync(pod, dependencies, others, inbox, writer);
    this.thread = Thread.ofVirtual().name("pod-" + name(pod)).unstarted(this::run);
  }

  /// The pod's name in logs and names of threads.
  static String name(Pod pod) {
    return pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName();
  }

  void start() {
    thread.start();
    inbox.wake();
  }

  void desire(Pod newest) {
    seen(newest);
    inbox.desire(newest);
  }

  /// Takes in the pod's status in the API.
  void seen(Pod shown) {
    writer.seen(
        PodJson.status(shown),
        Objects.requireNonNullElse(shown.getMetadata().getResourceVersion(), ""));
  }

  void gone() {
    inbox.gone();
  }

  void wake() {
    inbox.wake();
  }

  /// Another pod ended, which may free the resources that this pod waits for.
  void roomWasMade() {
    if (!sync.allocation().refusal().isEmpty()) {
      inbox.wake();
    }
  }

  boolean isToRun() {
    return pod.getMetadata().getDeletionTimestamp() == null && !hasEnded();
  }

  /// Whether the pod's status says that the node admitted it.
  boolean isTaken() {
    return writer.newest().has("startTime");
  }

  /// Whether the pod counts against the node's capacity. Once the API has deleted a pod, the
  /// scheduler may bind another one in its place.
  boolean isPresent() {
    return !isGone() && !hasEnded();
  }

  /// Whether the API has deleted the pod.
  boolean isGone() {
    return inbox.isGone();
  }

  boolean hasEnded() {
    return PodPhase.isFinished(writer.newest().path("phase").asText());
  }

  /// Whether the pod has stopped for good.
  boolean hasStopped() {
    return sync.hasStopped();
  }

  void evict(PodFailure why) {
    inbox.post(() -> sync.evict(why));
  }

  void reportAgain() {
    writer.forget();
    inbox.wake();
  }

  /// The pod's newest API object.
  Pod pod() {
    return pod;
  }

  /// The pod with the resources that are allocated to it, which may differ from those it asks for.
  Pod allotted() {
    return sync.allocation().pod();
  }

  /// The newest status, written or about to be written.
  JsonNode status() {
    return writer.newest();
  }

  /// Ends the worker; the containers keep running. The worker decides nothing after this: what it
  /// observes of a closing agent says nothing about its pod.
  void close() {
    closed = true;
    inbox.wake();
  }

  /// Waits for the thread's end. Call [#close] first.
  void awaitEnd() throws InterruptedException {
    if (!thread.join(CLOSING)) {
      thread.interrupt();
    }
  }

  private void run() {
    try {
      while (!sync.isFinished()) {
        Mail mail = inbox.take();
        if (closed) {
          return;
        }
        if (mail.pod() != null) {
          pod = mail.pod();
        }
        gone |= mail.gone();
        sync.take(pod, gone);
        long begun = System.nanoTime();
        mail.notes().forEach(this::attempt);
        attempt(sync::sync);
        dependencies.outputs().metrics().worked(operation(mail), System.nanoTime() - begun);
      }
      over.run();
    } catch (InterruptedException _) {
      // The agent closes. The next agent reconciles from what it observes.
    } finally {
      sync.cancel();
    }
  }

  /// The operation label of the kubelet's worker metrics.
  private String operation(Mail mail) {
    boolean ends = gone || sync.hasFailed() || pod.getMetadata().getDeletionTimestamp() != null;
    return ends ? "kill" : mail.pod() == null ? "sync" : "update";
  }

  private void attempt(Runnable part) {
    try {
      part.run();
    } catch (RuntimeException e) {
      // The top of the thread: a pod whose handling fails is handled again later.
      log.error("pod not handled, retrying pod={}", pod.getMetadata().getName(), e);
      sync.lookAgainAt(dependencies.timing().clock().instant().plusSeconds(10));
    }
  }
}
