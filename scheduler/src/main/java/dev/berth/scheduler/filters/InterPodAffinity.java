package dev.berth.scheduler.filters;

import dev.berth.scheduler.cluster.ClusterState;
import dev.berth.scheduler.cluster.NodeState;
import dev.berth.scheduler.model.PodInfo;
import dev.berth.scheduler.model.PodTerm;
import dev.berth.scheduler.model.RefusalCause;
import dev.berth.scheduler.model.RefusalReason;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Refuses nodes that violate the pod's required affinity or anti-affinity, or the anti-affinity of
/// a placed pod.
final class InterPodAffinity implements PodAffinityFilter {
  private static final RefusalReason NOT_NEAR =
      new RefusalReason(RefusalCause.POD_AFFINITY, "node(s) didn't match pod affinity rules");
  private static final RefusalReason NOT_FAR =
      new RefusalReason(RefusalCause.POD_AFFINITY, "node(s) didn't match pod anti-affinity rules");
  private static final RefusalReason KEPT_AWAY =
      new RefusalReason(
          RefusalCause.POD_AFFINITY, "node(s) didn't satisfy existing pods anti-affinity rules");

  /// A value of a topology label.
  private record Place(String key, String value) {}

  @Override
  public Check prepare(PodInfo pod, ClusterState cluster) {
    List<PodTerm> near = pod.affinity().near();
    List<PodTerm> far = pod.affinity().far();
    Set<Place> keptAway = keptAway(pod, cluster);
    if (near.isEmpty() && far.isEmpty() && keptAway.isEmpty()) {
      return _ -> Optional.empty();
    }
    Set<Place> nearPlaces = new HashSet<>();
    Set<Place> farPlaces = new HashSet<>();
    for (NodeState node : cluster.nodes()) {
      for (PodInfo other : node.pods()) {
        if (!near.isEmpty() && matchesAll(near, other, cluster)) {
          near.forEach(term -> add(nearPlaces, term, node));
        }
        for (PodTerm term : far) {
          if (term.matches(other, cluster.namespaces())) {
            add(farPlaces, term, node);
          }
        }
      }
    }
    // The first pod of a group with affinity to itself may go to any node, as upstream.
    boolean first = nearPlaces.isEmpty() && !near.isEmpty() && matchesAll(near, pod, cluster);
    return node -> {
      if (!isNear(near, nearPlaces, first, node)) {
        return Optional.of(NOT_NEAR);
      }
      if (isIn(far, farPlaces, node)) {
        return Optional.of(NOT_FAR);
      }
      return touches(keptAway, node) ? Optional.of(KEPT_AWAY) : Optional.empty();
    };
  }

  private static boolean matchesAll(List<PodTerm> terms, PodInfo pod, ClusterState cluster) {
    return terms.stream().allMatch(term -> term.matches(pod, cluster.namespaces()));
  }

  private static void add(Set<Place> places, PodTerm term, NodeState node) {
    String value = node.info().labels().get(term.topologyKey());
    if (value != null) {
      places.add(new Place(term.topologyKey(), value));
    }
  }

  private static boolean isNear(
      List<PodTerm> terms, Set<Place> places, boolean first, NodeState node) {
    for (PodTerm term : terms) {
      String value = node.info().labels().get(term.topologyKey());
      if (value == null || !(first || places.contains(new Place(term.topologyKey(), value)))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isIn(List<PodTerm> terms, Set<Place> places, NodeState node) {
    for (PodTerm term : terms) {
      String value = node.info().labels().get(term.topologyKey());
      if (value != null && places.contains(new Place(term.topologyKey(), value))) {
        return true;
      }
    }
    return false;
  }

  private static Set<Place> keptAway(PodInfo pod, ClusterState cluster) {
    Set<Place> places = new HashSet<>();
    cluster
        .keptAway()
        .forEach(
            (term, nodes) -> {
              if (term.matches(pod, cluster.namespaces())) {
                nodes.keySet().stream()
                    .filter(NodeState::isKnown)
                    .forEach(node -> add(places, term, node));
              }
            });
    return places;
  }

  private static boolean touches(Set<Place> places, NodeState node) {
    return places.stream()
        .anyMatch(place -> place.value().equals(node.info().labels().get(place.key())));
  }
}
