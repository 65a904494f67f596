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
  /// When the control group of an ended pod is searched for again.
  private static final List<Duration> SWEEPS =
      List.of(Duration.ofSeconds(3), Duration.ofMinutes(1));

  private static final Logger log = LoggerFactory.getLogger(PodWorkers.class);

  private final WorkerDependencies dependencies;
  private final ConcurrentMap<String, PodWorker> byUid = new ConcurrentHashMap<>();
  private volatile boolean closed;

  public PodWorkers(WorkerDependencies dependencies) {
    this.dependencies = dependencies;
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
    return new PodWorker(pod, dependencies, this, () -> over(uid));
  }

  private void over(String uid) {
    byUid.remove(uid);
    byUid.values().forEach(PodWorker::roomWasMade);
    SWEEPS.forEach(later -> dependencies.timing().delays().after(later, () -> sweep(uid)));
  }

  /// A runtime whose RunPodSandbox call was cancelled keeps working for a moment, and may create
  /// the pod's control group again after it was removed.
  private void sweep(String uid) {
    Thread.ofVirtual()
        .name("pod-sweep-" + uid)
        .start(
            () -> {
              if (!has(uid)) {
                dependencies.actions().cleanup().removeGroup(uid);
              }
            });
  }

  boolean has(String uid) {
    return byUid.containsKey(uid);
  }

  /// Ends an orphaned pod. A pod that already has a worker is wanted, or is ending already.
  ///
  /// @return whether this call starts the end
  boolean end(Pod pod) {
    if (closed) {
      return false;
    }
    PodWorker ending = worker(pod);
    PodWorker worker =
        byUid.computeIfAbsent(
            pod.getMetadata().getUid(),
            _ -> {
              // Marked gone before its first reconciliation, which would otherwise start the pod.
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

  /// The mirror pod was created again, without its status.
  public void reportAgain(String uid) {
    PodWorker worker = byUid.get(uid);
    if (worker != null) {
      worker.reportAgain();
    }
  }

  /// Takes in the mirror pod of a static pod.
  public void seen(String uid, Pod mirror) {
    PodWorker worker = byUid.get(uid);
    if (worker != null) {
      worker.seen(mirror);
    }
  }

  public void wakeAll() {
    byUid.values().forEach(PodWorker::wake);
  }

  /// The pods that run on this node and were admitted. Other pods hold nothing that an eviction
  /// could free, and an eviction must not bring a delayed rejection forward.
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

  /// Whether the pod has ended although the API still has it.
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
    dependencies.outputs().metrics().preempted(shortOf);
  }

  /// Evicts a pod.
  public void evict(String uid, PodFailure why) {
    PodWorker worker = byUid.get(uid);
    if (worker != null) {
      worker.evict(why);
    }
  }

  public List<Pod> pods() {
    return byUid.values().stream().map(PodWorkers::shown).toList();
  }

  /// An unreadable status must not keep other pods from being listed.
  private static Pod shown(PodWorker worker) {
    try {
      return PodJson.withStatus(worker.pod(), worker.status());
    } catch (RuntimeException e) {
      log.debug("status not shown pod={}", worker.pod().getMetadata().getName(), e);
      return worker.pod();
    }
  }

  /// Prefers the pod that the API has: a deleted pod may still be ending when its successor has the
  /// same name.
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
