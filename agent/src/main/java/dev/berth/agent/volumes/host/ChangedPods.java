package dev.berth.agent.volumes.host;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The queue of pods whose volumes need a refresh. A pod is in it at most once, in its newest
/// version.
final class ChangedPods {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition more = lock.newCondition();

  // The fields below are guarded by the lock.
  private final LinkedHashMap<String, Pod> byUid = new LinkedHashMap<>();
  private boolean all;

  void add(Pod pod) {
    lock.lock();
    try {
      byUid.put(pod.getMetadata().getUid(), pod);
      more.signal();
    } finally {
      lock.unlock();
    }
  }

  void addAll() {
    lock.lock();
    try {
      all = true;
      more.signal();
    } finally {
      lock.unlock();
    }
  }

  /// Waits for the next pod; empty when all pods are due.
  Optional<Pod> take() throws InterruptedException {
    lock.lock();
    try {
      while (byUid.isEmpty() && !all) {
        more.await();
      }
      if (byUid.isEmpty()) {
        all = false;
        return Optional.empty();
      }
      return Optional.of(byUid.pollFirstEntry().getValue());
    } finally {
      lock.unlock();
    }
  }
}
