package dev.berth.scheduler.scores;

import dev.berth.scheduler.cluster.ClusterState;
import dev.berth.scheduler.cluster.NodeState;
import dev.berth.scheduler.filters.TopologySpread;
import dev.berth.scheduler.model.PodInfo;
import dev.berth.scheduler.model.SpreadConstraint;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/// Prefers domains with fewer matching pods, for constraints with `ScheduleAnyway`.
final class TopologySpreadScore implements PodAffinityScore {
  @Override
  public ToDoubleFunction<NodeState> prepare(
      PodInfo pod, List<NodeState> fitting, ClusterState cluster) {
    List<SpreadConstraint> soft =
        pod.spread().stream().filter(constraint -> !constraint.hard()).toList();
    if (soft.isEmpty()) {
      return _ -> 0;
    }
    Map<SpreadConstraint, Map<String, Integer>> counts = new HashMap<>();
    for (SpreadConstraint constraint : soft) {
      counts.put(constraint, TopologySpread.count(pod, constraint, List.of(constraint), cluster));
    }
    return NormalizedScores.over(fitting, node -> -crowd(counts, node));
  }

  private static double crowd(Map<SpreadConstraint, Map<String, Integer>> counts, NodeState node) {
    double sum = 0;
    for (Map.Entry<SpreadConstraint, Map<String, Integer>> entry : counts.entrySet()) {
      String domain = node.info().labels().get(entry.getKey().topologyKey());
      int most = entry.getValue().values().stream().mapToInt(Integer::intValue).max().orElse(0);
      // A node without the label scores like the fullest domain.
      sum += domain == null ? most + 1 : entry.getValue().getOrDefault(domain, 0);
    }
    return sum;
  }
}
