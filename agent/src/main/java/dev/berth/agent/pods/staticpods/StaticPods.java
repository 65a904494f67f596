package dev.berth.agent.pods.staticpods;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.pods.references.PodJson;
import dev.berth.agent.pods.worker.PodGuard;
import dev.berth.agent.pods.worker.PodWorkers;
import dev.berth.agent.streams.StreamPod;
import dev.berth.agent.timing.WakeSignal;
import dev.berth.api.pods.PodSource;
import dev.berth.client.DelayedActions;
import dev.berth.client.Informer;
import dev.berth.client.ObjectKey;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs static pods and maintains their mirror pods. One thread reads the directory periodically.
public final class StaticPods implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(StaticPods.class);

  /// A manifest that was changed has an effect after this time at most.
  private static final Duration PERIOD = Duration.ofSeconds(1);

  private final ManifestDirectory manifests;
  private final PodWorkers workers;
  private final MirrorPods mirrors;
  private final Informer<ObjectNode> shown;
  private final DelayedActions delays;
  private final CountDownLatch known = new CountDownLatch(1);
  private final PodGuard guard = new PodGuard("static pods");
  private final Thread thread;

  /// By UID. Confined to the thread.
  private final Map<String, Pod> running = new HashMap<>();

  private StaticPods(
      ManifestDirectory manifests,
      PodWorkers workers,
      MirrorPods mirrors,
      Informer<ObjectNode> shown,
      DelayedActions delays) {
    this.manifests = manifests;
    this.workers = workers;
    this.mirrors = mirrors;
    this.shown = shown;
    this.delays = delays;
    this.thread = Thread.ofVirtual().name("static-pods").unstarted(this::run);
  }

  /// Starts the thread. The directory is read once before this returns, so that its pods are
  /// usually known from the start.
  public static StaticPods start(
      ManifestDirectory manifests,
      PodWorkers workers,
      MirrorPods mirrors,
      Informer<ObjectNode> shown,
      DelayedActions delays) {
    StaticPods pods = new StaticPods(manifests, workers, mirrors, shown, delays);
    if (pods.look()) {
      pods.known.countDown();
    }
    pods.thread.start();
    return pods;
  }

  /// Waits until the directory was read once.
  public void awaitKnown() throws InterruptedException {
    known.await();
  }

  private void run() {
    try {
      while (true) {
        new WakeSignal().await(PERIOD, delays);
        if (look()) {
          known.countDown();
          if (shown.isSynced()) {
            show();
          }
        }
      }
    } catch (InterruptedException _) {
      // The agent closes; the pods keep running.
    }
  }

  /// Reads the directory.
  ///
  /// @return whether it is known which pods are wanted
  private boolean look() {
    try {
      Map<String, Pod> wanted = manifests.read();
      running.keySet().stream().filter(uid -> !wanted.containsKey(uid)).toList().forEach(this::end);
      wanted.forEach(
          (uid, pod) -> {
            boolean _ =
                guard.test(
                    pod,
                    () -> {
                      begin(uid, pod);
                      return true;
                    });
          });
      return true;
    } catch (IOException e) {
      log.warn("manifests not read reason={}", e.getMessage());
    } catch (RuntimeException e) {
      // The top of the thread.
      log.error("manifests not read", e);
    }
    return false;
  }

  private void end(String uid) {
    workers.gone(uid);
    running.remove(uid);
  }

  /// Starts the pod once no other pod of the same name exists, and not while an earlier run of it
  /// is still ending.
  private void begin(String uid, Pod pod) {
    if (running.containsKey(uid)) {
      return;
    }
    boolean taken =
        workers.pods().stream().anyMatch(other -> PodJson.key(other).equals(PodJson.key(pod)));
    if (!taken) {
      running.put(uid, pod);
      workers.desire(pod);
    }
  }

  /// The top of the thread: failures are retried.
  private void show() {
    try {
      showAll();
    } catch (RuntimeException e) {
      log.error("mirror pods not updated, retrying", e);
    }
  }

  private void showAll() {
    Set<ObjectKey> shownAlready = new HashSet<>();
    for (ObjectNode present : shown.list()) {
      if (PodSource.isMirror(present)) {
        Pod mirror = PodJson.pod(present);
        shownAlready.add(PodJson.key(mirror));
        String uid = PodSource.mirroredUid(mirror);
        boolean isDeleted = mirror.getMetadata().getDeletionTimestamp() != null;
        // A mirror pod of a changed manifest stays until the old pod is gone.
        if (isDeleted || !isThere(mirror, uid)) {
          mirrors.delete(mirror);
        } else if (running.containsKey(uid)) {
          workers.seen(uid, mirror);
        }
      }
    }
    running.values().stream()
        .filter(pod -> !shownAlready.contains(PodJson.key(pod)))
        .forEach(this::create);
  }

  private boolean isThere(Pod mirror, String uid) {
    var metadata = mirror.getMetadata();
    return !uid.isEmpty()
        && workers
            .find(new StreamPod(metadata.getNamespace(), metadata.getName(), uid))
            .isPresent();
  }

  private void create(Pod pod) {
    if (mirrors.create(pod)) {
      workers.reportAgain(pod.getMetadata().getUid());
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
