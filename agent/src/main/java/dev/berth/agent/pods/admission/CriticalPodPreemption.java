package dev.berth.agent.pods.admission;

import dev.berth.agent.pressure.EvictionCandidate;
import dev.berth.api.pods.QosClass;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Chooses the pods that a critical pod preempts: as few as possible, above all of the higher QoS
/// classes. The rules are the kubelet's.
record CriticalPodPreemption(Pod pod, List<Pod> others) {
  /// Breaks ties between equally useful pods: the smallest requests first.
  private static final Comparator<Pod> SMALLEST =
      Comparator.<Pod>comparingLong(NodeResource.MEMORY::of)
          .thenComparingLong(NodeResource.CPU::of);

  /// The pods to preempt; empty when even all candidates together free too little.
  ///
  /// @param missing the least amounts that have to become free
  Optional<List<Pod>> victims(Map<NodeResource, Long> missing) {
    List<Pod> guaranteed = mayGo(QosClass.GUARANTEED);
    List<Pod> burstable = mayGo(QosClass.BURSTABLE);
    List<Pod> bestEffort = mayGo(QosClass.BEST_EFFORT);
    if (!without(missing, List.of(guaranteed, burstable, bestEffort)).isEmpty()) {
      return Optional.empty();
    }
    List<Pod> first = fewest(guaranteed, without(missing, List.of(burstable, bestEffort)));
    List<Pod> second = fewest(burstable, without(missing, List.of(first, bestEffort)));
    List<Pod> third = fewest(bestEffort, without(missing, List.of(first, second)));
    return Optional.of(Stream.of(third, second, first).flatMap(List::stream).toList());
  }

  private List<Pod> mayGo(QosClass qos) {
    return others.stream().filter(one -> QosClass.of(one) == qos).filter(this::mayGo).toList();
  }

  private boolean mayGo(Pod other) {
    Integer own = pod.getSpec().getPriority();
    Integer its = other.getSpec().getPriority();
    return !EvictionCandidate.isCritical(other) || (own != null && its != null && own > its);
  }

  /// Picks pods greedily, each time the one that comes nearest to what is still missing.
  private static List<Pod> fewest(List<Pod> pods, Map<NodeResource, Long> missing) {
    List<Pod> left = new ArrayList<>(pods);
    List<Pod> chosen = new ArrayList<>();
    Map<NodeResource, Long> rest = missing;
    while (!rest.isEmpty() && !left.isEmpty()) {
      Map<NodeResource, Long> now = rest;
      Pod best =
          left.stream()
              .min(
                  Comparator.<Pod>comparingDouble(one -> distance(one, now))
                      .thenComparing(SMALLEST))
              .orElseThrow();
      left.remove(best);
      chosen.add(best);
      rest = without(rest, List.of(List.of(best)));
    }
    return chosen;
  }

  /// What would still be missing, each resource relative to what is missing now.
  private static double distance(Pod one, Map<NodeResource, Long> missing) {
    return missing.entrySet().stream()
        .mapToDouble(
            entry -> {
              double rest = Math.max(0, entry.getValue() - entry.getKey().of(one));
              return Math.pow(rest / entry.getValue(), 2);
            })
        .sum();
  }

  /// What is still missing once these pods are gone.
  private static Map<NodeResource, Long> without(
      Map<NodeResource, Long> missing, List<List<Pod>> gone) {
    Map<NodeResource, Long> rest = new EnumMap<>(NodeResource.class);
    missing.forEach(
        (resource, amount) -> {
          long freed = gone.stream().flatMap(List::stream).mapToLong(resource::of).sum();
          if (amount > freed) {
            rest.put(resource, amount - freed);
          }
        });
    return rest;
  }
}
