package dev.berth.scheduler.scores;

import dev.berth.scheduler.cluster.ClusterState;
import dev.berth.scheduler.cluster.NodeState;
import dev.berth.scheduler.model.PodInfo;
import dev.berth.scheduler.model.PodTerm;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/// Scores nodes by the preferred pod affinity and anti-affinity terms.
final class PreferredPodAffinity implements PodAffinityScore {
  @Override
  public ToDoubleFunction<NodeState> prepare(
      PodInfo pod, List<NodeState> fitting, ClusterState cluster) {
    List<PodTerm.Weighted> terms = pod.affinity().preferred();
    if (terms.isEmpty()) {
      return _ -> 0;
    }
    // One pass over all pods of the cluster for each term: pods, not nodes, are the cost of this
    // score.
    Map<PodTerm.Weighted, Map<String, Integer>> counts = new HashMap<>();
    for (NodeState node : cluster.nodes()) {
      for (PodTerm.Weighted weighted : terms) {
        String value = node.info().labels().get(weighted.term().topologyKey());
        int matching = value == null ? 0 : matching(weighted.term(), node, cluster);
        if (value != null && matching > 0) {
          counts
              .computeIfAbsent(weighted, _ -> new HashMap<>())
              .merge(value, matching, Integer::sum);
        }
      }
    }
    return NormalizedScores.over(fitting, node -> sum(counts, node));
  }

  private static int matching(PodTerm term, NodeState node, ClusterState cluster) {
    int count = 0;
    for (PodInfo other : node.pods()) {
      count += term.matches(other, cluster.namespaces()) ? 1 : 0;
    }
    return count;
  }

  private static double sum(Map<PodTerm.Weighted, Map<String, Integer>> counts, NodeState node) {
    double sum = 0;
    for (Map.Entry<PodTerm.Weighted, Map<String, Integer>> entry : counts.entrySet()) {
      String value = node.info().labels().get(entry.getKey().term().topologyKey());
      if (value != null) {
        sum += (double) entry.getKey().weight() * entry.getValue().getOrDefault(value, 0);
      }
    }
    return sum;
  }
}
