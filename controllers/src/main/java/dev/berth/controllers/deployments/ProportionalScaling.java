package dev.berth.controllers.deployments;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Distributes a change of the desired number over the revisions of a running rollout in proportion
/// to their size, so that the risk stays the same.
final class ProportionalScaling {
  private ProportionalScaling() {}

  /// @param active at least one
  static Map<DeploymentRevision, Integer> of(
      RolloutStrategy strategy, List<DeploymentRevision> active) {
    int change = strategy.most() - DeploymentRollout.total(active);
    // Larger sets change first; among equal ones, scaling up prefers the newest.
    Comparator<DeploymentRevision> byAge = Comparator.comparing(DeploymentRevision::created);
    List<DeploymentRevision> sorted =
        active.stream()
            .sorted(
                Comparator.comparing(DeploymentRevision::replicas, Comparator.reverseOrder())
                    .thenComparing(change > 0 ? byAge.reversed() : byAge))
            .toList();
    Map<DeploymentRevision, Integer> next = new LinkedHashMap<>();
    int left = change;
    for (DeploymentRevision one : sorted) {
      int share = change == 0 ? 0 : bounded(share(one, strategy), left);
      next.put(one, one.replicas() + share);
      left -= share;
    }
    // Rounding leaves a rest of a few pods, which the largest set takes.
    DeploymentRevision largest = sorted.getFirst();
    next.merge(largest, left, (replicas, rest) -> Math.max(0, replicas + rest));
    return next;
  }

  /// The change of a set that keeps its share of the total.
  private static int share(DeploymentRevision one, RolloutStrategy strategy) {
    int before = one.mostThen() == 0 ? strategy.wanted() : one.mostThen();
    if (strategy.wanted() == 0 || before == 0) {
      return -one.replicas();
    }
    return (int) Math.round((double) one.replicas() * strategy.most() / before) - one.replicas();
  }

  /// A share never has another sign than what is left to distribute, nor exceeds it.
  private static int bounded(int share, int left) {
    return left > 0 ? Math.clamp(share, 0, left) : Math.clamp(share, left, 0);
  }
}
