package dev.berth.agent.pods.admission;

import dev.berth.agent.timing.ExponentialBackoff;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// Delays the failure of pods that the node does not take, when one controller creates them again
/// and again: a ReplicaSet makes the next pod as soon as one fails, without a back-off of its own.
/// A controller's first rejections are immediate, as a kubelet's are.
///
/// The bound for one controller on one node, with the standard rules: eight failed pods in the
/// first minute (three at once, then after 1, 2, 4, 8 and 16 seconds), and one a minute later on.
public final class RejectionDelay {
  /// After this time without a rejection the controller starts again with immediate ones.
  private static final Duration FORGOTTEN = Duration.ofMinutes(5);

  /// Bounds the memory that controllers with ever new UIDs can fill.
  private static final int REMEMBERED = 1_000;

  /// @param times how many pods in a row were rejected, each soon after the one before
  /// @param next the earliest time of the next rejection
  private record Streak(int times, Instant next) {}

  private final int immediate;
  private final ExponentialBackoff waits;
  private final ReentrantLock lock = new ReentrantLock();

  /// By the controller's UID. Guarded by the lock. The oldest entries are dropped beyond a bound.
  private final Map<String, Streak> streaks =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Streak> eldest) {
          return size() > REMEMBERED;
        }
      };

  public RejectionDelay(AdmissionRules rules) {
    this.immediate = rules.immediate();
    this.waits = new ExponentialBackoff(rules.firstDelay(), rules.longestDelay());
  }

  /// When the pod may fail; empty for now, which counts as a rejection.
  public Optional<Instant> delayed(Pod pod, Instant now) {
    String controller = controller(pod);
    if (controller.isEmpty()) {
      return Optional.empty();
    }
    lock.lock();
    try {
      Streak last = streaks.get(controller);
      if (last != null && last.next().isAfter(now)) {
        return Optional.of(last.next());
      }
      int before = last == null || last.next().plus(FORGOTTEN).isBefore(now) ? 0 : last.times();
      int times = before + 1;
      Duration wait = times < immediate ? Duration.ZERO : waits.after(times - immediate);
      streaks.remove(controller);
      streaks.put(controller, new Streak(times, now.plus(wait)));
      return Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  private static String controller(Pod pod) {
    return pod.getMetadata().getOwnerReferences().stream()
        .filter(owner -> Boolean.TRUE.equals(owner.getController()))
        .map(OwnerReference::getUid)
        .findFirst()
        .orElse("");
  }
}
