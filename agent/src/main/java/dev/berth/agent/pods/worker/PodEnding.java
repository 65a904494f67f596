package dev.berth.agent.pods.worker;

import dev.berth.agent.pods.status.StatusWriter;
import dev.berth.client.ApiException;
import dev.berth.client.ClientException;
import dev.berth.client.DeleteOptions;
import dev.berth.client.ObjectKey;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Cleans up after a pod of which no runtime service has anything: first the node, then the API
/// object. Confined to the worker's thread, except for the threads it starts.
final class PodEnding {
  private static final Logger log = LoggerFactory.getLogger(PodEnding.class);

  /// A cancelled runtime call may hold files and control groups for about this long.
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final WorkerDependencies dependencies;
  private final StatusWriter writer;
  private final WorkerInbox inbox;
  private boolean cleaned;
  private boolean busy;
  private boolean freed;
  private boolean done;

  /// The time of the first attempt to clean up.
  private @Nullable Instant begun;

  private int failures;

  PodEnding(WorkerDependencies dependencies, StatusWriter writer, WorkerInbox inbox) {
    this.dependencies = dependencies;
    this.writer = writer;
    this.inbox = inbox;
  }

  /// Whether the node is clean and only the API still has the pod.
  boolean isCleaned() {
    return cleaned;
  }

  /// An ended pod keeps its logs but gives back the disk of its volumes.
  void freeVolumes(Pod pod) {
    if (!freed && !cleaned && !busy) {
      freed = true;
      busy = true;
      Thread.ofVirtual()
          .name("pod-volumes-" + pod.getMetadata().getName())
          .start(
              () -> {
                dependencies.actions().cleanup().removeVolumes(pod);
                inbox.post(() -> busy = false);
              });
    }
  }

  /// Continues the cleanup as far as it can without waiting.
  ///
  /// @param gone whether the API has already deleted the pod
  /// @return whether everything is done
  boolean advance(Pod pod, boolean gone) {
    if (done) {
      return true;
    }
    if (!busy && (gone || !writer.isEndDelayed() || !cleaned)) {
      busy = true;
      Thread.ofVirtual()
          .name("pod-end-" + pod.getMetadata().getName())
          .start(() -> work(pod, gone));
    }
    return false;
  }

  private void work(Pod pod, boolean gone) {
    boolean clean = cleaned || clean(pod);
    boolean deleted = clean && (gone || (!writer.isEndDelayed() && delete(pod)));
    inbox.post(
        () -> {
          cleaned = clean;
          busy = false;
          done = deleted;
        });
  }

  private boolean clean(Pod pod) {
    String uid = pod.getMetadata().getUid();
    Instant now = dependencies.timing().clock().instant();
    begun = Objects.requireNonNullElse(begun, now);
    try {
      dependencies.actions().cleanup().remove(pod, !now.isBefore(begun.plus(PATIENCE)));
    } catch (IOException | RuntimeException e) {
      return later("files of pod %s not removed".formatted(pod.getMetadata().getName()), e);
    }
    failures = 0;
    dependencies.inputs().observers().all().forEach(observer -> observer.forget(uid));
    dependencies.inputs().runtimes().release(uid);
    return true;
  }

  private boolean delete(Pod pod) {
    var metadata = pod.getMetadata();
    try {
      dependencies
          .outputs()
          .pods()
          .delete(
              new ObjectKey(metadata.getNamespace(), metadata.getName()),
              DeleteOptions.ofUid(metadata.getUid()).withGracePeriod(0));
      return true;
    } catch (ApiException e) {
      if (e.isNotFound() || e.isConflict()) {
        return true; // The pod of this UID is deleted.
      }
      return later("pod not deleted", e);
    } catch (ClientException e) {
      return later("pod not deleted", e);
    }
  }

  private boolean later(String what, Exception failure) {
    if (failures == 0) {
      log.warn("{}, retrying reason={}", what, failure.getMessage());
    }
    dependencies
        .timing()
        .delays()
        .after(dependencies.timing().backoff().after(failures++), inbox::wake);
    return false;
  }
}
