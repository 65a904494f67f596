package dev.berth.scheduler;

import dev.berth.scheduler.cluster.ClusterState;
import dev.berth.scheduler.cluster.NodeState;
import dev.berth.scheduler.model.PodInfo;
import dev.berth.scheduler.model.PodTerm;
import dev.berth.scheduler.model.RefusalCause;
import dev.berth.scheduler.placement.NodePlacer;
import dev.berth.scheduler.queue.QueueingHint;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The hints that events of the cluster give to the queue.
///
/// A hint may be generous, because a pod that is woken in vain costs one attempt. It must not be
/// too strict: a pod that no hint wakes waits for the flush of the queue, up to ten minutes.
/// Upstream has one hint function for each plugin and event (KEP-4247); here one predicate per
/// event asks the filters themselves, with the lock of the state held.
final class QueueingHints {
  private static final Set<RefusalCause> NO_CAUSE = EnumSet.noneOf(RefusalCause.class);

  private final ClusterState cluster;
  private final NodePlacer placer;

  QueueingHints(ClusterState cluster, NodePlacer placer) {
    this.cluster = cluster;
    this.placer = placer;
  }

  /// A node was added or changed.
  QueueingHint nodeChanged(String event, NodeState node) {
    return new QueueingHint(
        event,
        EnumSet.of(RefusalCause.NO_NODES, RefusalCause.SPREAD, RefusalCause.POD_AFFINITY),
        // Pods with affinity or spread constraints are woken by any node: the change may concern
        // the domain of another node, which the check of this one node cannot see.
        pod -> pod.dependsOnOtherPods() || placer.fits(pod, node));
  }

  /// A node was deleted, perhaps with the emptiest domain of a spread constraint.
  QueueingHint nodeRemoved() {
    return new QueueingHint(
        "NodeDelete", EnumSet.of(RefusalCause.SPREAD, RefusalCause.POD_AFFINITY), _ -> false);
  }

  /// A pod left its node or requests less.
  QueueingHint roomMade(String event, PodInfo left, @Nullable NodeState node) {
    // The check against the one node keeps a mass deletion cheap: of thousands of waiting pods,
    // only those wake that the node can now take.
    return new QueueingHint(event, NO_CAUSE, pod -> placer.fits(pod, node) || concerns(pod, left));
  }

  /// A pod was bound, so that pods with affinity to it may fit.
  QueueingHint podPlaced(PodInfo placed) {
    return new QueueingHint("AssignedPodAdd", NO_CAUSE, pod -> concerns(pod, placed));
  }

  QueueingHint classChanged(String event, String name) {
    return new QueueingHint(event, NO_CAUSE, pod -> pod.needs().className().equals(name));
  }

  QueueingHint namespaceChanged() {
    return new QueueingHint("NamespaceUpdate", EnumSet.of(RefusalCause.POD_AFFINITY), _ -> false);
  }

  private boolean concerns(PodInfo pod, PodInfo other) {
    // Anti-affinity is symmetric: the other pod's terms kept this pod away even if it has no terms.
    if (matchesAny(other.affinity().far(), pod)) {
      return true;
    }
    return pod.dependsOnOtherPods()
        && (matchesAny(pod.affinity().near(), other)
            || matchesAny(pod.affinity().far(), other)
            || pod.spread().stream().anyMatch(one -> one.selector().matches(other.labels())));
  }

  private boolean matchesAny(Iterable<PodTerm> terms, PodInfo pod) {
    for (PodTerm term : terms) {
      if (term.matches(pod, cluster.namespaces())) {
        return true;
      }
    }
    return false;
  }
}
