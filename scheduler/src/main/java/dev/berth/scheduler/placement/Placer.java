package dev.berth.scheduler.placement;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.NodeState;
import dev.berth.scheduler.cluster.Shape;
import dev.berth.scheduler.cluster.Verdict;
import dev.berth.scheduler.filters.Filters;
import dev.berth.scheduler.filters.NeighbourFilter;
import dev.berth.scheduler.model.PodInfo;
import dev.berth.scheduler.model.PodNeeds;
import dev.berth.scheduler.model.Reason;
import dev.berth.scheduler.rules.RuleClock;
import dev.berth.scheduler.scores.Scores;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// Chooses the best node for a pod.
///
/// Reads the cluster without changing it; whoever calls holds the cluster's lock.
public final class Placer {
  private final Cluster cluster;

  /// For questions that are no attempt to place a pod.
  private final RuleClock aside = RuleClock.unread();

  public Placer(Cluster cluster) {
    this.cluster = cluster;
  }

  public Decision place(PodInfo pod) {
    return place(pod, aside);
  }

  public Decision place(PodInfo pod, RuleClock clock) {
    return switch (choose(pod, clock)) {
      case Decision.Chosen chosen -> chosen;
      case Decision.Refused(var refusal) ->
          new Decision.Refused(
              refusal.withHint(new RuntimeHint(cluster, pod.needs()).text(refusal.causes())));
    };
  }

  private Decision choose(PodInfo pod, RuleClock clock) {
    if (cluster.size() == 0) {
      return new Decision.Refused(Refusal.noNodes());
    }
    Optional<Reason> hopeless = Filters.beforeNodes(pod.needs(), cluster, clock);
    if (hopeless.isPresent()) {
      return new Decision.Refused(Refusal.ofAll(cluster.size(), hopeless.get()));
    }
    Optional<String> named = pod.needs().nodes().onlyNode();
    if (named.isPresent()) {
      return placeOnNamed(pod, named.get(), clock);
    }
    return mustLookAtEachNode(pod) ? placeNodeByNode(pod, clock) : placeByShape(pod, clock);
  }

  private boolean mustLookAtEachNode(PodInfo pod) {
    return pod.dependsOnOtherPods() || pod.needs().tellsNodesApart() || cluster.isKeptAway(pod);
  }

  /// Cost: rules about traits are remembered, and nodes with equal use are looked at once.
  private Decision placeByShape(PodInfo pod, RuleClock clock) {
    PodNeeds needs = cluster.shared(pod.needs());
    ShapeSearch search = new ShapeSearch(pod, handler(pod), clock);
    for (Shape shape : cluster.shapes()) {
      search.visit(shape, shape.verdict(needs, same -> judge(same, shape, clock)));
    }
    return search.result(cluster.size());
  }

  private Verdict judge(PodNeeds needs, Shape shape, RuleClock clock) {
    List<Reason> reasons = Filters.byTraits(needs, shape.example(), cluster, clock);
    double score = reasons.isEmpty() ? Scores.byTraits(needs, shape.example(), cluster, clock) : 0;
    return new Verdict(reasons, score);
  }

  private Decision placeOnNamed(PodInfo pod, String name, RuleClock clock) {
    Refusal.Builder refusal = new Refusal.Builder();
    NodeState node = cluster.node(name);
    List<Reason> reasons =
        node == null
            ? List.of()
            : refusals(pod, node, Filters.byNeighbours(pod, cluster, clock), clock);
    if (node != null && reasons.isEmpty()) {
      return new Decision.Chosen(node, 0);
    }
    refusal.add(reasons, 1);
    int others = cluster.size() - (node == null ? 0 : 1);
    if (others > 0) {
      refusal.add(List.of(Filters.notTheNamedNode()), others);
    }
    return new Decision.Refused(refusal.build(cluster.size()));
  }

  /// Every rule on every node: for pods whose place depends on single nodes or other pods, and the
  /// measure that the search by shape is tested against.
  Decision placeNodeByNode(PodInfo pod, RuleClock clock) {
    List<NeighbourFilter.Check> neighbours = Filters.byNeighbours(pod, cluster, clock);
    Refusal.Builder refusal = new Refusal.Builder();
    List<NodeState> fitting = new ArrayList<>();
    for (NodeState node : cluster.nodes()) {
      List<Reason> reasons = refusals(pod, node, neighbours, clock);
      if (reasons.isEmpty()) {
        fitting.add(node);
      } else {
        refusal.add(reasons, 1);
      }
    }
    NodeState best = null;
    double bestScore = Double.NEGATIVE_INFINITY;
    ToDoubleFunction<NodeState> byNeighbours = Scores.byNeighbours(pod, fitting, cluster, clock);
    for (NodeState node : fitting) {
      double score = score(pod, node, clock) + byNeighbours.applyAsDouble(node);
      if (score > bestScore) {
        best = node;
        bestScore = score;
      }
    }
    return best == null
        ? new Decision.Refused(refusal.build(cluster.size()))
        : new Decision.Chosen(best, bestScore);
  }

  private double score(PodInfo pod, NodeState node, RuleClock clock) {
    return Scores.byTraits(pod.needs(), node.info(), cluster, clock)
        + Scores.byNode(pod, node, handler(pod), clock);
  }

  private List<Reason> refusals(
      PodInfo pod, NodeState node, List<NeighbourFilter.Check> neighbours, RuleClock clock) {
    List<Reason> byTraits = Filters.byTraits(pod.needs(), node.info(), cluster, clock);
    if (!byTraits.isEmpty()) {
      return byTraits;
    }
    List<Reason> byUse = Filters.byUse(pod, node.info().traits(), node.use(), clock);
    if (!byUse.isEmpty()) {
      return byUse;
    }
    for (NeighbourFilter.Check check : neighbours) {
      Optional<Reason> reason = check.refusal(node);
      if (reason.isPresent()) {
        return List.of(reason.get());
      }
    }
    return List.of();
  }

  /// What stands against each node, by its name; an empty list for nodes that would do.
  public Map<String, List<Reason>> explain(PodInfo pod) {
    List<NeighbourFilter.Check> neighbours = Filters.byNeighbours(pod, cluster, aside);
    Map<String, List<Reason>> explained = new TreeMap<>();
    for (NodeState node : cluster.nodes()) {
      explained.put(node.name(), refusals(pod, node, neighbours, aside));
    }
    return explained;
  }

  /// Whether the node would do for the pod as far as its own traits and use go.
  public boolean fits(PodInfo pod, @Nullable NodeState node) {
    return node != null
        && suits(pod, node)
        && Filters.byUse(pod, node.info().traits(), node.use(), aside).isEmpty();
  }

  /// Whether the node is there and would do for the pod as far as its traits go.
  public boolean suits(PodInfo pod, @Nullable NodeState node) {
    return node != null && Filters.byTraits(pod.needs(), node.info(), cluster, aside).isEmpty();
  }

  private String handler(PodInfo pod) {
    String handler = cluster.handler(pod.needs().className());
    return handler == null ? "" : handler;
  }
}
