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

/// The end of a pod of which no runtime service has anything any more: what is left on the node
/// goes, then the API lets go of it. Of the worker's thread, apart from what it starts.
final class PodEnding {
  private static final Logger log = LoggerFactory.getLogger(PodEnding.class);

  /// So long a runtime that was called off may need to clean up.
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final WorkerDependencies tools;
  private final StatusWriter writer;
  private final WorkerInbox inbox;
  private boolean cleaned;
  private boolean busy;
  private boolean freed;
  private boolean done;

  /// When it was first tried to clean up.
  private @Nullable Instant begun;

  private int failures;

  PodEnding(WorkerDependencies tools, StatusWriter writer, WorkerInbox inbox) {
    this.tools = tools;
    this.writer = writer;
    this.inbox = inbox;
  }

  /// Whether nothing of it is left on the node; only the API has it.
  boolean isCleaned() {
    return cleaned;
  }

  /// A pod that has ended keeps its logs, but not the room that its volumes take.
  void freeVolumes(Pod pod) {
    if (!freed && !cleaned && !busy) {
      freed = true;
      busy = true;
      Thread.ofVirtual()
          .name("pod-volumes-" + pod.getMetadata().getName())
          .start(
              () -> {
                tools.remains().removeVolumes(pod);
                inbox.post(() -> busy = false);
              });
    }
  }

  /// Goes on as far as possible without waiting; whether all is over.
  ///
  /// @param gone the API has let go of it before
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
    Instant now = tools.clock().instant();
    begun = Objects.requireNonNullElse(begun, now);
    try {
      tools.remains().remove(pod, !now.isBefore(begun.plus(PATIENCE)));
    } catch (IOException | RuntimeException e) {
      return later("remains of pod %s not removed".formatted(pod.getMetadata().getName()), e);
    }
    failures = 0;
    tools.observers().all().forEach(observer -> observer.forget(uid));
    tools.runtimes().release(uid);
    return true;
  }

  private boolean delete(Pod pod) {
    var metadata = pod.getMetadata();
    try {
      tools
          .pods()
          .delete(
              new ObjectKey(metadata.getNamespace(), metadata.getName()),
              DeleteOptions.ofUid(metadata.getUid()).withGracePeriod(0));
      return true;
    } catch (ApiException e) {
      if (e.isNotFound() || e.isConflict()) {
        return true; // It, or the one of this UID, is gone.
      }
      return later("pod not deleted", e);
    } catch (ClientException e) {
      return later("pod not deleted", e);
    }
  }

  private boolean later(String what, Exception failure) {
    if (failures == 0) {
      log.warn("{}, will retry: {}", what, failure.getMessage());
    }
    tools.delays().after(tools.backoff().after(failures++), inbox::wake);
    return false;
  }
}
