package dev.berth.agent.pods.worker;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps one failing pod from stopping a loop over all pods. Logs the first failure of a pod, and
/// its recovery.
public final class PodGuard {
  private static final Logger log = LoggerFactory.getLogger(PodGuard.class);

  /// Bounds the set for pods that fail and go; a forgotten one is logged a second time.
  private static final int REMEMBERED = 1_000;

  private final String task;
  private final Set<String> failing = ConcurrentHashMap.newKeySet();

  /// @param task the name of the loop's task, for the log
  public PodGuard(String task) {
    this.task = task;
  }

  /// The result; empty when the part failed.
  public <T> Optional<T> attempt(Pod pod, Supplier<Optional<T>> part) {
    String uid = String.valueOf(pod.getMetadata().getUid());
    try {
      Optional<T> result = part.get();
      if (!failing.isEmpty() && failing.remove(uid)) {
        log.info("pod handled again task={} pod={}", task, name(pod));
      }
      return result;
    } catch (RuntimeException e) {
      if (failing.size() > REMEMBERED) {
        failing.clear();
      }
      if (failing.add(uid)) {
        log.error("pod skipped task={} pod={}", task, name(pod), e);
      }
      return Optional.empty();
    }
  }

  public boolean test(Pod pod, Supplier<Boolean> part) {
    return attempt(pod, () -> Optional.of(part.get())).orElse(false);
  }

  private static String name(Pod pod) {
    return pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName();
  }
}
