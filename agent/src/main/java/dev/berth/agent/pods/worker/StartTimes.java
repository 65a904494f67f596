package dev.berth.agent.pods.worker;

import dev.berth.agent.pods.metrics.PodMetrics;
import dev.berth.agent.pods.plan.PodStep;
import dev.berth.api.pods.PodPhase;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Measures how long a pod takes to run, and how much of that its image pulls took.
final class StartTimes {
  private final InstantSource clock;
  private final Instant seen;
  private final ReentrantLock lock = new ReentrantLock();

  // The three fields below are guarded by the lock.
  private @Nullable Instant firstPull;
  private @Nullable Instant lastPull;
  private boolean reported;

  StartTimes(InstantSource clock) {
    this.clock = clock;
    this.seen = clock.instant();
  }

  /// @param begun false when the pull has ended
  void pull(PodStep step, boolean begun) {
    if (!(step instanceof PodStep.PullImage)) {
      return;
    }
    Instant now = clock.instant();
    lock.lock();
    try {
      if (begun && firstPull == null) {
        firstPull = now;
      } else if (!begun) {
        lastPull = now;
      }
    } finally {
      lock.unlock();
    }
  }

  /// Records when a pod runs for the first time.
  ///
  /// @param before and `after`: its phases
  void phase(Pod pod, String before, String after, PodMetrics metrics) {
    if (before.equals(PodPhase.RUNNING) || !after.equals(PodPhase.RUNNING)) {
      return;
    }
    lock.lock();
    try {
      if (!reported) {
        reported = true;
        Instant now = clock.instant();
        Duration pulls =
            firstPull == null || lastPull == null
                ? Duration.ZERO
                : Duration.between(firstPull, lastPull);
        String created = pod.getMetadata().getCreationTimestamp();
        Instant since = created == null || created.isEmpty() ? seen : Instant.parse(created);
        metrics.running(Duration.between(seen, now), Duration.between(since, now).minus(pulls));
      }
    } finally {
      lock.unlock();
    }
  }
}
