package dev.berth.scheduler;

import dev.berth.client.ObjectKey;
import dev.berth.scheduler.cluster.ClusterState;
import dev.berth.scheduler.cluster.NodeState;
import dev.berth.scheduler.model.NodeInfo;
import dev.berth.scheduler.model.PodInfo;
import dev.berth.scheduler.model.RefusalCause;
import dev.berth.scheduler.model.RuntimeClassInfo;
import dev.berth.scheduler.model.TrackedPod;
import dev.berth.scheduler.placement.NodePlacer;
import dev.berth.scheduler.placement.PlacementDecision;
import dev.berth.scheduler.queue.QueuedPod;
import dev.berth.scheduler.queue.QueueingHint;
import dev.berth.scheduler.queue.SchedulingQueue;
import dev.berth.scheduler.rules.RuleClock;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The cluster and the queue under one lock, so that no event is lost between the refusal of a pod
/// and its entry into the unschedulable part of the queue.
///
/// Upstream copies the cluster into a snapshot for each attempt and tracks events in flight beside
/// the queue. One lock needs neither. It is held for a whole decision, a few microseconds by shapes
/// and longer node by node; no call to the server happens under it.
final class SchedulingState implements ClusterView {
  /// A decision for a pod; when a node was chosen, the pod is already assumed there.
  record Attempt(QueuedPod pod, PlacementDecision decision, long startNanos) {}

  private final Set<String> schedulerNames;
  private final SchedulerMetrics metrics;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  // The fields below are guarded by the lock.
  private final ClusterState cluster;
  private final NodePlacer placer;
  private final QueueingHints hints;
  private final SchedulingQueue queue;
  // Pods that are placed in the cluster although the watch has not delivered their binding yet. The
  // entry ends when the watch delivers the binding or the deletion, or when the bind fails. There
  // is no expiry as upstream has it: a bind always ends with an answer or an exception.
  private final Map<ObjectKey, QueuedPod> assumed = new HashMap<>();
  // The newest state of assumed pods that changed before their bind was done: the next attempt must
  // not decide by what they asked for before.
  private final Map<ObjectKey, PodInfo> changedSince = new HashMap<>();

  SchedulingState(SchedulerProfile profile, InstantSource clock, SchedulerMetrics metrics) {
    this.schedulerNames = profile.names();
    this.cluster = new ClusterState(profile.classes());
    this.placer = new NodePlacer(cluster);
    this.hints = new QueueingHints(cluster, placer);
    this.metrics = metrics;
    this.queue = new SchedulingQueue(clock, metrics::queued);
  }

  /// Waits for the next pod and decides where it goes.
  Attempt next() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      QueuedPod pod = awaitNext();
      long start = System.nanoTime();
      RuleClock rules = metrics.deciding(pod.pod());
      PlacementDecision decision = decide(pod, rules);
      switch (decision) {
        case PlacementDecision.Chosen(NodeState node, _) -> assume(pod, node);
        // Under the same lock as the decision: an event that would help arrives before it and is
        // part of it, or after it and finds the pod in the queue.
        case PlacementDecision.Refused(var refusal) -> queue.waitFor(pod, refusal.causes());
      }
      metrics.decided(pod.pod(), decision, rules, System.nanoTime() - start);
      return new Attempt(pod, decision, start);
    } finally {
      lock.unlock();
    }
  }

  private PlacementDecision decide(QueuedPod pod, RuleClock rules) {
    try {
      return placer.place(pod.pod(), rules);
    } catch (RuntimeException e) {
      // A rule that throws must not lose the pod, which no part of the queue holds at this moment.
      queue.retry(pod);
      throw e;
    }
  }

  private QueuedPod awaitNext() throws InterruptedException {
    while (true) {
      var next = queue.poll();
      if (next.isPresent()) {
        return next.get();
      }
      // At least a millisecond, so that a due time that rounds to zero does not spin.
      long nanos = Math.max(1_000_000, queue.untilNext().toNanos());
      boolean _ = changed.await(nanos, TimeUnit.NANOSECONDS);
    }
  }

  private void assume(QueuedPod pod, NodeState node) {
    cluster.putPod(pod.pod(), node.name());
    assumed.put(pod.pod().key(), pod);
    // Before the bind is confirmed: pods with affinity to this one can be placed at once. If the
    // bind fails, their own check before binding does not see it; affinity is not enforced after
    // placement.
    wake(hints.podPlaced(pod.pod()));
  }

  /// Whether the node is still feasible just before binding: its runtime may have failed, and
  /// labels, the RuntimeClass or the pod may have changed.
  boolean isStillGood(QueuedPod pod, String node) {
    return locked(
        () ->
            assumed.get(pod.pod().key()) == pod
                && !changedSince.containsKey(pod.pod().key())
                && placer.suits(pod.pod(), cluster.node(node)));
  }

  /// Removes an assumed pod from its node and queues it again.
  void rollBack(QueuedPod pod, boolean tryAgain) {
    locked(
        () -> {
          ObjectKey key = pod.pod().key();
          // Not when the watch has meanwhile delivered its binding or its deletion.
          if (assumed.remove(key, pod)) {
            leave(key, "AssignedPodDelete");
            PodInfo newest = changedSince.remove(key);
            if (tryAgain) {
              queue.retry(pod);
              if (newest != null) {
                boolean _ = queue.put(newest, "");
              }
            }
            changed.signalAll();
          }
          return null;
        });
  }

  @Override
  public void putPod(TrackedPod observed) {
    locked(
        () -> {
          PodInfo pod = observed.pod();
          // Bound, by this scheduler or by any other: the watch is right, whatever was assumed.
          if (observed.takesRoom()) {
            queue.remove(pod.key());
            assumed.remove(pod.key());
            changedSince.remove(pod.key());
            arrive(pod, observed.node());
          } else if (!observed.isWaiting()) {
            gone(pod.key());
          } else {
            waits(pod, observed.refusal());
          }
          return null;
        });
  }

  /// An assumed pod is still unbound for the watch until its bind is done. Queuing it again would
  /// place it twice, but its change counts if the bind fails.
  private void waits(PodInfo pod, String refusal) {
    QueuedPod decided = assumed.get(pod.key());
    if (decided != null && pod.equals(decided.pod())) {
      changedSince.remove(pod.key());
    } else if (decided != null) {
      changedSince.put(pod.key(), pod);
    } else if (schedulerNames.contains(pod.schedulerName())) {
      // A pod of this name that had a place was deleted and created again while the watch was away.
      leave(pod.key(), "AssignedPodDelete");
      if (queue.put(pod, refusal)) {
        changed.signalAll();
      }
    }
  }

  private void arrive(PodInfo pod, String nodeName) {
    NodeState node = cluster.node(nodeName);
    PodInfo before = node == null ? null : node.pod(pod.key());
    // Most events of running pods are status updates; they change nothing here and wake nobody.
    if (pod.equals(before)) {
      return;
    }
    cluster.putPod(pod, nodeName);
    wake(hints.podPlaced(pod));
    if (before != null) {
      // Requests can shrink in place (KEP-1287), and labels can leave a selector.
      wake(hints.roomMade("AssignedPodUpdate", before, node));
    }
  }

  @Override
  public void removePod(ObjectKey key) {
    locked(
        () -> {
          gone(key);
          return null;
        });
  }

  private void gone(ObjectKey key) {
    queue.remove(key);
    assumed.remove(key);
    changedSince.remove(key);
    leave(key, "AssignedPodDelete");
  }

  private void leave(ObjectKey key, String event) {
    String name = cluster.placeOf(key).orElse("");
    if (name.isEmpty()) {
      return;
    }
    NodeState node = cluster.node(name);
    PodInfo pod = node == null ? null : node.pod(key);
    cluster.removePod(key);
    if (pod != null) {
      wake(hints.roomMade(event, pod, node));
    }
  }

  @Override
  public void putNode(NodeInfo info) {
    locked(
        () -> {
          NodeState before = cluster.node(info.name());
          boolean isNew = before == null;
          boolean same =
              before != null
                  // Heartbeats and lists of images change a Node often; neither makes a pod
                  // feasible.
                  && before.info().traits().equals(info.traits())
                  && before.info().labels().equals(info.labels());
          cluster.putNode(info);
          NodeState node = cluster.node(info.name());
          if (!same && node != null) {
            wake(hints.nodeChanged(isNew ? "NodeAdd" : "NodeUpdate", node));
          }
          return null;
        });
  }

  @Override
  public void removeNode(String name) {
    locked(
        () -> {
          cluster.removeNode(name);
          wake(hints.nodeRemoved());
          return null;
        });
  }

  @Override
  public void putClass(RuntimeClassInfo info) {
    locked(
        () -> {
          Optional<RuntimeClassInfo> before = cluster.runtimeClass(info.name());
          cluster.putClass(info);
          if (before.filter(info::equals).isEmpty()) {
            wake(hints.classChanged("RuntimeClassUpdate", info.name()));
          }
          return null;
        });
  }

  @Override
  public void removeClass(String name) {
    locked(
        () -> {
          cluster.removeClass(name);
          wake(hints.classChanged("RuntimeClassDelete", name));
          return null;
        });
  }

  @Override
  public void putNamespace(String name, Map<String, String> labels) {
    locked(
        () -> {
          if (!labels.equals(cluster.namespaces().get(name))) {
            cluster.putNamespace(name, labels);
            wake(hints.namespaceChanged());
          }
          return null;
        });
  }

  @Override
  public void removeNamespace(String name) {
    locked(
        () -> {
          cluster.removeNamespace(name);
          return null;
        });
  }

  // The caller holds the lock. Each call asks the hint about every unschedulable pod, so its cost
  // grows with their number.
  private void wake(QueueingHint hint) {
    if (queue.wake(hint) > 0) {
      changed.signalAll();
    }
  }

  SchedulingQueue.Sizes sizes() {
    return locked(queue::sizes);
  }

  /// The number of waiting pods by the rule that refused nodes in their last attempt, by profile
  /// and plugin.
  Map<String, Map<String, Integer>> refusedPods() {
    Map<String, Map<String, Integer>> counts = new TreeMap<>();
    locked(
        () -> {
          queue.forEachRefused(waiting -> countRefusal(waiting, counts));
          return null;
        });
    return counts;
  }

  private static void countRefusal(QueuedPod waiting, Map<String, Map<String, Integer>> counts) {
    Map<String, Integer> byPlugin =
        counts.computeIfAbsent(waiting.pod().schedulerName(), _ -> new TreeMap<>());
    waiting.causes().stream()
        .map(RefusalCause::plugin)
        .distinct()
        .forEach(plugin -> byPlugin.merge(plugin, 1, Integer::sum));
  }

  int assumedCount() {
    return locked(assumed::size);
  }

  /// Reads the cluster under the lock; the function must not keep references to it.
  <R> R read(Function<ClusterState, R> function) {
    return locked(() -> function.apply(cluster));
  }

  private <R extends @Nullable Object> R locked(java.util.function.Supplier<R> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }
}
