package dev.berth.agent.pods.worker;

import dev.berth.agent.timing.ExponentialBackoff;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Bounds how often an orphan is ended: a runtime may list again what it reported as removed. Logs
/// the first attempt, and again when attempts keep repeating.
public final class OrphanRetryInterval {
  private static final Logger log = LoggerFactory.getLogger(OrphanRetryInterval.class);
  private static final ExponentialBackoff WAITS =
      new ExponentialBackoff(Duration.ofSeconds(1), Duration.ofMinutes(5));

  /// Attempts that are a habit of the runtime and no accident: then the log says what is tried.
  private static final int HABIT = 3;

  /// Bounds the memory for pods of a runtime that reports ever new ones.
  private static final int REMEMBERED = 1_000;

  private record Ended(int times, Instant next) {}

  private final InstantSource clock;
  private final ReentrantLock lock = new ReentrantLock();

  /// By pod UID. Guarded by the lock. The least recently ended pods are dropped beyond a bound.
  private final Map<String, Ended> ended =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Ended> eldest) {
          return size() > REMEMBERED;
        }
      };

  public OrphanRetryInterval(InstantSource clock) {
    this.clock = clock;
  }

  /// The wait before the pod may be ended again; empty when it may be ended now.
  public Optional<Duration> waitBefore(String uid) {
    lock.lock();
    try {
      return Optional.ofNullable(ended.get(uid))
          .map(last -> Duration.between(clock.instant(), last.next()))
          .filter(Duration::isPositive);
    } finally {
      lock.unlock();
    }
  }

  public void ended(Pod pod) {
    String uid = pod.getMetadata().getUid();
    int times;
    lock.lock();
    try {
      Ended last = ended.remove(uid);
      times = last == null ? 1 : last.times() + 1;
      ended.put(uid, new Ended(times, clock.instant().plus(WAITS.after(times - 1))));
    } finally {
      lock.unlock();
    }
    String name = pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName();
    if (times == 1) {
      log.info("orphaned pod is ended pod={} uid={}", name, uid);
    } else if (times == HABIT) {
      log.warn(
          "orphaned pod still exists, retrying with back-off pod={} uid={} longest={}"
              + " remedy=remove its sandbox by hand (crictl pods, crictl rmp --force)",
          name,
          uid,
          WAITS.longest());
    }
  }
}
