package dev.berth.scheduler.scores;

import dev.berth.scheduler.cluster.ClusterState;
import dev.berth.scheduler.cluster.NodeState;
import dev.berth.scheduler.model.NodeInfo;
import dev.berth.scheduler.model.PodInfo;
import dev.berth.scheduler.model.PodRequirements;
import dev.berth.scheduler.rules.RuleClock;
import dev.berth.scheduler.rules.SchedulingRule;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// All scores with their weights, and the bounds that the search by shape needs.
public final class ScoreList {
  private record Weighted<R>(double weight, SchedulingRule name, R rule) {}

  private record WeightedNeighbours(
      double weight, SchedulingRule prepared, SchedulingRule name, PodAffinityScore rule) {}

  // Upstream's default weights: NodeAffinity 2, TaintToleration 3, PodTopologySpread and
  // InterPodAffinity 2, resources and images 1. Scarce runtimes and siblings have no counterpart in
  // its defaults.
  private static final List<Weighted<TraitScore>> TRAITS =
      List.of(
          new Weighted<>(2, SchedulingRule.PREFERRED_AFFINITY, new PreferredAffinity()),
          new Weighted<>(3, SchedulingRule.SOFT_TAINTS, new PreferNoScheduleScore()),
          new Weighted<>(2, SchedulingRule.SCARCE_RUNTIMES, new KeepsScarceRuntimes()));

  private static final List<Weighted<AllocationScore>> USES =
      List.of(
          new Weighted<>(1, SchedulingRule.LEAST_ALLOCATED, new LeastAllocated()),
          new Weighted<>(1, SchedulingRule.BALANCED, new BalancedAllocation()));

  private static final List<Weighted<MemberScore>> MEMBERS =
      List.of(
          new Weighted<>(1, SchedulingRule.IMAGES, new ImagePresent()),
          new Weighted<>(2, SchedulingRule.SIBLINGS, new SelectorSpreadScore()));

  private static final List<WeightedNeighbours> NEIGHBOURS =
      List.of(
          new WeightedNeighbours(
              2,
              SchedulingRule.NEIGHBOURS_PREPARED,
              SchedulingRule.PREFERRED_NEIGHBOURS,
              new PreferredPodAffinity()),
          new WeightedNeighbours(
              2,
              SchedulingRule.EVEN_SPREAD_PREPARED,
              SchedulingRule.EVEN_SPREAD,
              new TopologySpreadScore()));

  private ScoreList() {}

  public static double byTraits(
      PodRequirements needs, NodeInfo node, ClusterState cluster, RuleClock clock) {
    double sum = 0;
    for (Weighted<TraitScore> one : TRAITS) {
      long begun = clock.begin(one.name());
      sum += one.weight() * one.rule().score(needs, node, cluster);
      clock.end(one.name(), true, begun);
    }
    return sum;
  }

  /// The total score of a node in its current state.
  public static double byNode(PodInfo pod, NodeState node, String handler, RuleClock clock) {
    return byUse(pod, node, handler, clock) + byMember(pod, node, handler, clock);
  }

  /// The part that is the same for all nodes of a shape with equal use.
  public static double byUse(PodInfo pod, NodeState node, String handler, RuleClock clock) {
    return sum(USES, pod, node, handler, clock);
  }

  /// The part that differs between nodes of equal use.
  public static double byMember(PodInfo pod, NodeState node, String handler, RuleClock clock) {
    return sum(MEMBERS, pod, node, handler, clock);
  }

  private static <R extends NodeScore> double sum(
      List<Weighted<R>> scores, PodInfo pod, NodeState node, String handler, RuleClock clock) {
    double sum = 0;
    for (Weighted<R> one : scores) {
      long begun = clock.begin(one.name());
      sum += one.weight() * one.rule().score(pod, node, handler);
      clock.end(one.name(), true, begun);
    }
    return sum;
  }

  /// The upper bound of [#byMember].
  ///
  /// @param imagesKnown whether any node in question has any of the pod's images
  public static double bestMember(boolean imagesKnown) {
    double sum = 0;
    for (Weighted<MemberScore> one : MEMBERS) {
      sum += one.weight() * one.rule().best(imagesKnown);
    }
    return sum;
  }

  /// The upper bound of [#byUse] for nodes with at least the load of this one.
  public static double bestFrom(PodInfo pod, NodeState node, String handler) {
    double sum = 0;
    for (Weighted<AllocationScore> one : USES) {
      sum += one.weight() * one.rule().bestFrom(pod, node, handler);
    }
    return sum;
  }

  public static ToDoubleFunction<NodeState> byNeighbours(
      PodInfo pod, List<NodeState> fitting, ClusterState cluster, RuleClock clock) {
    if (!pod.dependsOnOtherPods()) {
      return _ -> 0;
    }
    List<ToDoubleFunction<NodeState>> parts =
        NEIGHBOURS.stream().map(one -> prepare(one, pod, fitting, cluster, clock)).toList();
    return node -> parts.stream().mapToDouble(part -> part.applyAsDouble(node)).sum();
  }

  private static ToDoubleFunction<NodeState> prepare(
      WeightedNeighbours one,
      PodInfo pod,
      List<NodeState> fitting,
      ClusterState cluster,
      RuleClock clock) {
    long started = clock.begin(one.prepared());
    ToDoubleFunction<NodeState> rule = one.rule().prepare(pod, fitting, cluster);
    clock.end(one.prepared(), true, started);
    return node -> {
      long begun = clock.begin(one.name());
      double score = one.weight() * rule.applyAsDouble(node);
      clock.end(one.name(), true, begun);
      return score;
    };
  }
}
