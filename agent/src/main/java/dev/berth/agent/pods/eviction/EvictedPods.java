package dev.berth.agent.pods.eviction;

import dev.berth.agent.pods.metrics.PodMetrics;
import dev.berth.agent.pods.status.StatusFacts.PodFailure;
import dev.berth.agent.pods.worker.PodWorkers;
import dev.berth.agent.pods.worker.ServiceObservers;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Evicts pods, and reports whether the last one still occupies its runtime service. Confined to
/// the thread of [PodEviction].
public final class EvictedPods {
  private static final Logger log = LoggerFactory.getLogger(EvictedPods.class);

  /// Bounds the wait for a pod that does not end: pressure on the node grows meanwhile.
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

  private record Leaving(String uid, Instant since) {}

  private final PodWorkers workers;
  private final ServiceObservers observers;
  private final PodMetrics metrics;
  private @Nullable Leaving leaving;

  public EvictedPods(PodWorkers workers, ServiceObservers observers, PodMetrics metrics) {
    this.workers = workers;
    this.observers = observers;
    this.metrics = metrics;
  }

  void evict(Pod pod, PodFailure why, String signal) {
    log.warn(
        "pod evicted pod={}/{} signal={}",
        pod.getMetadata().getNamespace(),
        pod.getMetadata().getName(),
        signal);
    // The metric changes before the pod's status does: a client that reads the status finds the
    // eviction counted.
    metrics.evicted(signal);
    workers.evict(pod.getMetadata().getUid(), why);
  }

  /// Evicts a pod whose end has to be awaited before the next pod is chosen.
  void evictAndAwait(Pod pod, PodFailure why, String signal, Instant now) {
    evict(pod, why, signal);
    leaving = new Leaving(pod.getMetadata().getUid(), now);
  }

  /// Whether the last awaited pod has not ended, as far as was seen by the last [#update].
  boolean isAwaiting() {
    return leaving != null;
  }

  void update(Instant now) {
    if (leaving != null && !isLeaving(leaving, now)) {
      leaving = null;
    }
  }

  private boolean isLeaving(Leaving last, Instant now) {
    boolean isThere =
        observers.all().stream()
            .anyMatch(
                observer ->
                    observer.view().look(last.uid()).stream()
                        .anyMatch(pod -> pod.runsAnything() || pod.usableSandbox().isPresent()));
    return isThere && now.isBefore(last.since().plus(LONGEST_WAIT));
  }
}
