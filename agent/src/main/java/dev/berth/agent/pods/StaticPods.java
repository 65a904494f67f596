package dev.berth.agent.pods;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.pods.manifests.Manifests;
import dev.berth.agent.pods.manifests.StaticPod;
import dev.berth.agent.pods.observed.Bell;
import dev.berth.client.ApiException;
import dev.berth.client.ClientException;
import dev.berth.client.Delays;
import dev.berth.client.DeleteOptions;
import dev.berth.client.Informer;
import dev.berth.client.ObjectKey;
import dev.berth.client.Resources;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs the pods of the manifests, and has the API show them. One thread, which looks at the folder
/// again and again.
final class StaticPods implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(StaticPods.class);
  private static final Duration PERIOD = Duration.ofSeconds(1);

  private final Manifests manifests;
  private final PodWorkers workers;
  private final Resources<ObjectNode> api;
  private final Informer<ObjectNode> shown;
  private final Delays delays;
  private final Thread thread;

  /// By UID; of the thread alone.
  private final Map<String, Pod> running = new HashMap<>();

  private StaticPods(
      Manifests manifests,
      PodWorkers workers,
      Resources<ObjectNode> api,
      Informer<ObjectNode> shown,
      Delays delays) {
    this.manifests = manifests;
    this.workers = workers;
    this.api = api;
    this.shown = shown;
    this.delays = delays;
    this.thread = Thread.ofVirtual().name("static-pods").unstarted(this::run);
  }

  /// Reads the folder once before it returns, so that nobody takes its pods for orphans.
  static StaticPods start(
      Manifests manifests,
      PodWorkers workers,
      Resources<ObjectNode> api,
      Informer<ObjectNode> shown,
      Delays delays) {
    StaticPods pods = new StaticPods(manifests, workers, api, shown, delays);
    pods.look();
    pods.thread.start();
    return pods;
  }

  private void run() {
    try {
      while (true) {
        new Bell().await(PERIOD, delays);
        look();
        if (shown.isSynced()) {
          showAll();
        }
      }
    } catch (InterruptedException _) {
      // Closed: the pods run on.
    }
  }

  private void look() {
    try {
      Map<String, Pod> wanted = manifests.read();
      running.keySet().stream().filter(uid -> !wanted.containsKey(uid)).toList().forEach(this::end);
      wanted.forEach(this::begin);
    } catch (IOException e) {
      log.warn("manifests cannot be read: {}", e.getMessage());
    } catch (RuntimeException e) {
      // The top of the thread.
      log.error("manifests cannot be read", e);
    }
  }

  private void end(String uid) {
    workers.gone(uid);
    Pod pod = running.remove(uid);
    if (pod != null) {
      attempt("deleted", pod, () -> delete(pod));
    }
  }

  /// Another pod of the same name has to go first.
  private void begin(String uid, Pod pod) {
    boolean taken =
        workers.pods().stream()
            .anyMatch(
                other -> key(other).equals(key(pod)) && !other.getMetadata().getUid().equals(uid));
    if (!taken && running.putIfAbsent(uid, pod) == null) {
      workers.desire(pod);
    }
  }

  private void showAll() {
    for (Pod pod : running.values()) {
      var mirror = shown.get(key(pod)).map(PodTrees::pod);
      if (mirror.isEmpty()) {
        attempt("created", pod, () -> create(pod));
      } else if (!StaticPod.mirrors(mirror.get(), pod)
          || mirror.get().getMetadata().getDeletionTimestamp() != null) {
        attempt("deleted", pod, () -> delete(pod));
      }
    }
  }

  private void create(Pod pod) {
    api.create(PodTrees.tree(StaticPod.mirror(pod)));
    workers.tellAgain(pod.getMetadata().getUid());
  }

  private void delete(Pod pod) {
    api.delete(key(pod), DeleteOptions.DEFAULT.withGracePeriod(0));
  }

  private static void attempt(String what, Pod pod, Runnable writing) {
    try {
      writing.run();
    } catch (ApiException e) {
      if (!e.isNotFound() && !e.isAlreadyExists()) {
        log.warn("mirror not {} pod={}: {}", what, key(pod), e.getMessage());
      }
    } catch (ClientException e) {
      log.debug("mirror not {} pod={}: {}", what, key(pod), e.getMessage());
    }
  }

  private static ObjectKey key(Pod pod) {
    return new ObjectKey(pod.getMetadata().getNamespace(), pod.getMetadata().getName());
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
