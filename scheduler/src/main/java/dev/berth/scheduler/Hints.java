package dev.berth.scheduler;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.NodeState;
import dev.berth.scheduler.model.Cause;
import dev.berth.scheduler.model.PodInfo;
import dev.berth.scheduler.model.PodTerm;
import dev.berth.scheduler.placement.Placer;
import dev.berth.scheduler.queue.Hint;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Which pods an event could help.
final class Hints {
  private static final Set<Cause> NO_CAUSE = EnumSet.noneOf(Cause.class);

  private final Cluster cluster;
  private final Placer placer;

  Hints(Cluster cluster, Placer placer) {
    this.cluster = cluster;
    this.placer = placer;
  }

  /// A node is new or has changed.
  Hint nodeChanged(String event, NodeState node) {
    return new Hint(
        event,
        EnumSet.of(Cause.NO_NODES, Cause.SPREAD, Cause.POD_AFFINITY),
        pod -> pod.dependsOnOtherPods() || placer.fits(pod, node));
  }

  /// A node is gone, and with it perhaps the emptiest domain of a spread constraint.
  Hint nodeRemoved() {
    return new Hint("NodeDelete", EnumSet.of(Cause.SPREAD, Cause.POD_AFFINITY), _ -> false);
  }

  /// A pod has left its node, or takes less of it.
  Hint roomMade(String event, PodInfo left, @Nullable NodeState node) {
    return new Hint(event, NO_CAUSE, pod -> placer.fits(pod, node) || concerns(pod, left));
  }

  /// A pod has got a place.
  Hint podPlaced(PodInfo placed) {
    return new Hint("AssignedPodAdd", NO_CAUSE, pod -> concerns(pod, placed));
  }

  Hint classChanged(String event, String name) {
    return new Hint(event, NO_CAUSE, pod -> pod.needs().className().equals(name));
  }

  Hint namespaceChanged() {
    return new Hint("NamespaceUpdate", EnumSet.of(Cause.POD_AFFINITY), _ -> false);
  }

  private boolean concerns(PodInfo pod, PodInfo other) {
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
