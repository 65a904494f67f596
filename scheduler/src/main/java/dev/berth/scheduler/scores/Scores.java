package dev.berth.scheduler.scores;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.NodeState;
import dev.berth.scheduler.model.NodeInfo;
import dev.berth.scheduler.model.PodInfo;
import dev.berth.scheduler.model.PodNeeds;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// All preferences and what each weighs.
public final class Scores {
  private record Weighted<R>(double weight, R rule) {}

  private static final List<Weighted<TraitScore>> TRAITS =
      List.of(
          new Weighted<>(2, new PreferredAffinity()),
          new Weighted<>(3, new FewSoftTaints()),
          new Weighted<>(2, new KeepsScarceRuntimes()));

  private static final double LEAST_ALLOCATED = 1;
  private static final double BALANCED = 1;
  private static final double IMAGE = 1;
  private static final double SIBLINGS = 2;
  private static final NodeScore LEAST = new LeastAllocated();
  private static final NodeScore BALANCE = new BalancedUse();
  private static final NodeScore IMAGES = new ImagePresent();
  private static final NodeScore FEW_SIBLINGS = new FewSiblings();

  private static final List<Weighted<NeighbourScore>> NEIGHBOURS =
      List.of(new Weighted<>(2, new PreferredNeighbours()), new Weighted<>(2, new EvenSpread()));

  private Scores() {}

  public static double byTraits(PodNeeds needs, NodeInfo node, Cluster cluster) {
    double sum = 0;
    for (Weighted<TraitScore> one : TRAITS) {
      sum += one.weight() * one.rule().score(needs, node, cluster);
    }
    return sum;
  }

  /// Everything about the node as it is now.
  public static double byNode(PodInfo pod, NodeState node, String handler) {
    return byUse(pod, node, handler) + byMember(pod, node, handler);
  }

  /// The part that is the same for all nodes of a shape with equal use.
  public static double byUse(PodInfo pod, NodeState node, String handler) {
    return LEAST_ALLOCATED * LEAST.score(pod, node, handler)
        + BALANCED * BALANCE.score(pod, node, handler);
  }

  /// The part that differs between nodes of equal use.
  public static double byMember(PodInfo pod, NodeState node, String handler) {
    return IMAGE * IMAGES.score(pod, node, handler)
        + SIBLINGS * FEW_SIBLINGS.score(pod, node, handler);
  }

  /// The most that [#byMember] can be.
  ///
  /// @param imagesKnown whether any node in question has any of the pod's images
  public static double bestMember(boolean imagesKnown) {
    return 100 * (SIBLINGS + (imagesKnown ? IMAGE : 0));
  }

  /// The most that a node as loaded as this one, or more, can get from [#byUse].
  public static double bestFrom(PodInfo pod, NodeState node, String handler) {
    return LEAST_ALLOCATED * LEAST.score(pod, node, handler) + BALANCED * 100;
  }

  public static ToDoubleFunction<NodeState> byNeighbours(
      PodInfo pod, List<NodeState> fitting, Cluster cluster) {
    if (!pod.dependsOnOtherPods()) {
      return _ -> 0;
    }
    List<ToDoubleFunction<NodeState>> parts =
        NEIGHBOURS.stream()
            .map(
                one -> {
                  ToDoubleFunction<NodeState> rule = one.rule().prepare(pod, fitting, cluster);
                  return (ToDoubleFunction<NodeState>)
                      node -> one.weight() * rule.applyAsDouble(node);
                })
            .toList();
    return node -> parts.stream().mapToDouble(part -> part.applyAsDouble(node)).sum();
  }
}
