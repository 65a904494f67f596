package dev.berth.scheduler.filters;

import dev.berth.scheduler.cluster.ClusterState;
import dev.berth.scheduler.cluster.NodeState;
import dev.berth.scheduler.model.NodeInfo;
import dev.berth.scheduler.model.PodInfo;
import dev.berth.scheduler.model.RefusalCause;
import dev.berth.scheduler.model.RefusalReason;
import dev.berth.scheduler.model.SpreadConstraint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Refuses nodes where one more matching pod would exceed `maxSkew` over the emptiest domain.
public final class TopologySpread implements PodAffinityFilter {
  private static final String TEXT = "node(s) didn't match pod topology spread constraints";
  private static final RefusalReason UNEVEN = new RefusalReason(RefusalCause.SPREAD, TEXT);
  private static final RefusalReason NO_LABEL =
      new RefusalReason(RefusalCause.SPREAD, TEXT + " (missing required label)");

  /// A constraint with the counts of its domains.
  private record Counted(SpreadConstraint constraint, Map<String, Integer> counts, int self) {
    boolean allows(String domain) {
      int least =
          counts.size() < constraint.minDomains()
              ? 0
              : counts.values().stream().mapToInt(Integer::intValue).min().orElse(0);
      return counts.getOrDefault(domain, 0) + self - least <= constraint.maxSkew();
    }
  }

  @Override
  public Check prepare(PodInfo pod, ClusterState cluster) {
    List<SpreadConstraint> hard = pod.spread().stream().filter(SpreadConstraint::hard).toList();
    if (hard.isEmpty()) {
      return _ -> Optional.empty();
    }
    List<Counted> counted = new ArrayList<>();
    for (SpreadConstraint constraint : hard) {
      int self = constraint.selector().matches(pod.labels()) ? 1 : 0;
      counted.add(new Counted(constraint, count(pod, constraint, hard, cluster), self));
    }
    return node -> refusal(counted, node);
  }

  private static Optional<RefusalReason> refusal(List<Counted> counted, NodeState node) {
    for (Counted one : counted) {
      String domain = node.info().labels().get(one.constraint().topologyKey());
      if (domain == null) {
        return Optional.of(NO_LABEL);
      }
      if (!one.allows(domain)) {
        return Optional.of(UNEVEN);
      }
    }
    return Optional.empty();
  }

  /// The number of matching pods by domain; domains without any have zero.
  ///
  /// @param together all constraints: a node counts only if it has the labels of all of them
  public static Map<String, Integer> count(
      PodInfo pod,
      SpreadConstraint constraint,
      List<SpreadConstraint> together,
      ClusterState cluster) {
    Map<String, Integer> counts = new HashMap<>();
    for (NodeState node : cluster.nodes()) {
      NodeInfo info = node.info();
      boolean labelled =
          together.stream().allMatch(one -> info.labels().containsKey(one.topologyKey()));
      String domain = info.labels().get(constraint.topologyKey());
      if (labelled && domain != null && isCounted(pod, constraint, info)) {
        counts.merge(domain, like(pod, constraint, node), Integer::sum);
      }
    }
    return counts;
  }

  private static boolean isCounted(PodInfo pod, SpreadConstraint constraint, NodeInfo node) {
    boolean fits = !constraint.honorAffinity() || NodeAffinity.fits(pod.needs(), node);
    return fits
        && (!constraint.honorTaints()
            || node.traits().taints().stream()
                .allMatch(
                    taint -> !taint.isHard() || taint.isTolerated(pod.needs().tolerations())));
  }

  private static int like(PodInfo pod, SpreadConstraint constraint, NodeState node) {
    int count = 0;
    for (PodInfo other : node.pods()) {
      if (other.key().namespace().equals(pod.key().namespace())
          && constraint.selector().matches(other.labels())) {
        count++;
      }
    }
    return count;
  }
}
