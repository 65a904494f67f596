package dev.berth.agent.pods.worker;

import dev.berth.agent.pods.admission.AdmittedPods;
import dev.berth.agent.pods.references.PodJson;
import dev.berth.agent.pods.status.StatusFacts.PodFailure;
import dev.berth.agent.streams.StreamPod;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The workers of all pods, by UID.
public final class PodWorkers implements AdmittedPods, AutoCloseable {
  /// When the last traces of a pod that is gone are looked for, after its end.
  private static final List<Duration> SWEEPS =
      List.of(Duration.ofSeconds(3), Duration.ofMinutes(1));

  private static final Logger log = LoggerFactory.getLogger(PodWorkers.class);

  private final WorkerDependencies tools;
  private final ConcurrentMap<String, PodWorker> byUid = new ConcurrentHashMap<>();
  private volatile boolean closed;

  public PodWorkers(WorkerDependencies tools) {
    this.tools = tools;
  }

  public void desire(Pod pod) {
    String uid = pod.getMetadata().getUid();
    byUid.compute(
        uid,
        (_, present) -> {
          if (present != null) {
            present.desire(pod);
            return present;
          }
          PodWorker worker = worker(pod);
          worker.start();
          return worker;
        });
  }

  private PodWorker worker(Pod pod) {
    String uid = pod.getMetadata().getUid();
    return new PodWorker(pod, tools, this, () -> over(uid));
  }

  private void over(String uid) {
    byUid.remove(uid);
    byUid.values().forEach(PodWorker::roomWasMade);
    SWEEPS.forEach(later -> tools.delays().after(later, () -> sweep(uid)));
  }

  /// A runtime that is called off while it makes a sandbox goes on for a moment, and may make the
  /// pod's control group again after it was removed.
  private void sweep(String uid) {
    Thread.ofVirtual()
        .name("pod-sweep-" + uid)
        .start(
            () -> {
              if (!has(uid)) {
                tools.remains().removeGroup(uid);
              }
            });
  }

  boolean has(String uid) {
    return byUid.containsKey(uid);
  }

  /// Ends a pod that nobody wants. One that has a worker by now is wanted, or is ending already.
  ///
  /// @return whether its end begins now
  boolean end(Pod pod) {
    if (closed) {
      return false;
    }
    PodWorker ending = worker(pod);
    PodWorker worker =
        byUid.computeIfAbsent(
            pod.getMetadata().getUid(),
            _ -> {
              // Before its first look, which would begin with the pod.
              ending.gone();
              ending.start();
              return ending;
            });
    return worker == ending;
  }

  public void gone(String uid) {
    PodWorker worker = byUid.get(uid);
    if (worker != null) {
      worker.gone();
    }
  }

  public void wake(String uid) {
    PodWorker worker = byUid.get(uid);
    if (worker != null) {
      worker.wake();
    }
  }

  /// The API has a new object for the pod, without its status.
  public void tellAgain(String uid) {
    PodWorker worker = byUid.get(uid);
    if (worker != null) {
      worker.tellAgain();
    }
  }

  /// The object that the API has for a static pod.
  public void seen(String uid, Pod mirror) {
    PodWorker worker = byUid.get(uid);
    if (worker != null) {
      worker.seen(mirror);
    }
  }

  public void wakeAll() {
    byUid.values().forEach(PodWorker::wake);
  }

  /// Of the pods that are to run and that the node has taken. Others have nothing that they could
  /// give back, and a rejection that is delayed must not come earlier as an eviction.
  public List<Pod> specifications() {
    return byUid.values().stream()
        .filter(worker -> worker.isToRun() && worker.isTaken())
        .map(PodWorker::pod)
        .toList();
  }

  @Override
  public List<Pod> present() {
    return byUid.values().stream().filter(PodWorker::isPresent).map(PodWorker::allotted).toList();
  }

  /// Whether nothing of a pod runs any more, though the API still has it.
  public boolean hasEnded(String uid) {
    PodWorker worker = byUid.get(uid);
    return worker != null && worker.hasEnded();
  }

  @Override
  public boolean hasStopped(String uid) {
    PodWorker worker = byUid.get(uid);
    return worker == null || worker.hasStopped();
  }

  @Override
  public void preempt(String uid, PodFailure why, String shortOf) {
    log.warn("pod preempted uid={} shortOf={}", uid, shortOf);
    evict(uid, why);
    tools.metrics().preempted(shortOf);
  }

  /// Ends a pod for which the node has no more use.
  public void evict(String uid, PodFailure why) {
    PodWorker worker = byUid.get(uid);
    if (worker != null) {
      worker.evict(why);
    }
  }

  public List<Pod> pods() {
    return byUid.values().stream().map(PodWorkers::shown).toList();
  }

  /// A status that nobody understands keeps no other pod from being shown.
  private static Pod shown(PodWorker worker) {
    try {
      return PodJson.withStatus(worker.pod(), worker.status());
    } catch (RuntimeException e) {
      log.debug("status not shown pod={}", worker.pod().getMetadata().getName(), e);
      return worker.pod();
    }
  }

  /// One that the API let go of may still be ending when another one has its name.
  public Optional<Pod> find(StreamPod name) {
    return byUid.values().stream()
        .filter(worker -> fits(worker.pod(), name))
        .min(Comparator.comparing(PodWorker::isGone))
        .map(PodWorkers::shown);
  }

  private static boolean fits(Pod pod, StreamPod name) {
    var metadata = pod.getMetadata();
    return metadata.getName().equals(name.name())
        && metadata.getNamespace().equals(name.namespace())
        && (name.uid().isEmpty() || name.uid().equals(metadata.getUid()));
  }

  @Override
  public void close() {
    closed = true;
    List<PodWorker> all = List.copyOf(byUid.values());
    all.forEach(PodWorker::close);
    try {
      for (PodWorker worker : all) {
        worker.awaitEnd();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
