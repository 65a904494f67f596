package dev.berth.agent.pods.observed;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/// The observed state of all pods of one runtime service.
///
/// Facts come from lists, events and the agent's own calls, in any order. One rule combines them:
/// sandboxes and containers only move forward (created, running, exited, removed), so an old fact
/// that arrives late changes nothing.
public final class ServiceView {
  private final ObservationListener listener;
  private final ReentrantLock lock = new ReentrantLock();

  // The fields below are guarded by the lock.
  private final Map<String, PodFacts> pods = new HashMap<>();
  private long tick;
  private long trustedFrom = Long.MAX_VALUE;
  private final Map<String, Long> doubtful = new HashMap<>();

  ServiceView(ObservationListener listener) {
    this.listener = listener;
  }

  /// The observed pod; empty while its state is unknown.
  public Optional<ObservedPod> look(String podUid) {
    lock.lock();
    try {
      if (trustedFrom == Long.MAX_VALUE || doubtful.containsKey(podUid)) {
        return Optional.empty();
      }
      PodFacts facts = pods.get(podUid);
      return Optional.of(facts == null ? ObservedPod.NOTHING : facts.show());
    } finally {
      lock.unlock();
    }
  }

  /// The UIDs of all pods that the service has.
  public Set<String> pods() {
    lock.lock();
    try {
      Set<String> uids = new HashSet<>();
      pods.forEach(
          (uid, facts) -> {
            if (!facts.isEmpty()) {
              uids.add(uid);
            }
          });
      return uids;
    } finally {
      lock.unlock();
    }
  }

  /// The number of pods with facts, for tests.
  int size() {
    lock.lock();
    try {
      return pods.size();
    } finally {
      lock.unlock();
    }
  }

  public void put(String podUid, ObservedSandbox sandbox) {
    change(podUid, facts -> facts.put(sandbox, tick));
  }

  public void put(String podUid, ObservedContainer container) {
    change(podUid, facts -> facts.put(container, tick));
  }

  public void sandboxGone(String podUid, String sandboxId) {
    change(podUid, facts -> facts.removeSandbox(sandboxId));
  }

  public void containerGone(String podUid, String containerId) {
    change(podUid, facts -> facts.removeContainer(containerId));
  }

  /// A call about the pod ended without an answer: only a newer list shows its effect.
  public void doubt(String podUid) {
    lock.lock();
    try {
      doubtful.put(podUid, ++tick);
    } finally {
      lock.unlock();
    }
  }

  /// Drops the facts about an ended pod.
  public void forget(String podUid) {
    lock.lock();
    try {
      pods.remove(podUid);
      doubtful.remove(podUid);
    } finally {
      lock.unlock();
    }
  }

  /// Everything is unknown until the next list.
  void lose() {
    lock.lock();
    try {
      trustedFrom = Long.MAX_VALUE;
    } finally {
      lock.unlock();
    }
  }

  /// Call this before the list call, and pass the result to [#listed].
  long beginList() {
    lock.lock();
    try {
      return ++tick;
    } finally {
      lock.unlock();
    }
  }

  /// Merges a complete list that began at tick `begun`.
  ///
  /// @return whether anything changed
  boolean listed(long begun, ServiceListing listing) {
    List<String> changed = new ArrayList<>();
    boolean first;
    lock.lock();
    try {
      first = trustedFrom == Long.MAX_VALUE;
      trustedFrom = begun;
      Set<String> cleared = new HashSet<>();
      doubtful
          .entrySet()
          .removeIf(entry -> entry.getValue() < begun && cleared.add(entry.getKey()));
      listing.pods().forEach(uid -> pods.computeIfAbsent(uid, _ -> new PodFacts()));
      pods.forEach(
          (uid, facts) -> {
            if (facts.merge(begun, listing.of(uid)) || cleared.contains(uid)) {
              changed.add(uid);
            }
          });
      cleared.stream().filter(uid -> !pods.containsKey(uid)).forEach(changed::add);
      // Pods of other agents never end here, and late events may arrive for them, so empty facts
      // are dropped.
      pods.values().removeIf(PodFacts::saysNothing);
    } finally {
      lock.unlock();
    }
    if (first) {
      listener.regained();
    }
    changed.forEach(listener::changed);
    return first || !changed.isEmpty();
  }

  /// The known container, so that a list need not ask for its details again.
  Optional<ObservedContainer> known(String podUid, String containerId) {
    lock.lock();
    try {
      PodFacts facts = pods.get(podUid);
      return facts == null ? Optional.empty() : facts.container(containerId);
    } finally {
      lock.unlock();
    }
  }

  Optional<ObservedSandbox> knownSandbox(String podUid, String sandboxId) {
    lock.lock();
    try {
      PodFacts facts = pods.get(podUid);
      return facts == null ? Optional.empty() : facts.sandbox(sandboxId);
    } finally {
      lock.unlock();
    }
  }

  private void change(String podUid, Predicate<PodFacts> change) {
    boolean changed;
    lock.lock();
    try {
      tick++;
      changed = change.test(pods.computeIfAbsent(podUid, _ -> new PodFacts()));
    } finally {
      lock.unlock();
    }
    if (changed) {
      listener.changed(podUid);
    }
  }
}
