package dev.berth.scheduler.placement;

import dev.berth.scheduler.cluster.ClusterState;
import dev.berth.scheduler.cluster.NodeShape;
import dev.berth.scheduler.cluster.NodeState;
import dev.berth.scheduler.cluster.TraitVerdict;
import dev.berth.scheduler.filters.FilterList;
import dev.berth.scheduler.filters.PodAffinityFilter;
import dev.berth.scheduler.model.PodInfo;
import dev.berth.scheduler.model.PodRequirements;
import dev.berth.scheduler.model.RefusalReason;
import dev.berth.scheduler.rules.RuleClock;
import dev.berth.scheduler.scores.ScoreList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// Chooses the best node for a pod.
///
/// Reads the cluster without changing it; the caller holds the cluster's lock.
///
/// Upstream looks at a sample of the nodes in large clusters (percentageOfNodesToScore). Shapes
/// make that unnecessary: every node is considered, most of them as members of a group.
public final class NodePlacer {
  private final ClusterState cluster;

  /// For explanations, which are no scheduling attempts.
  private final RuleClock aside = RuleClock.unread();

  public NodePlacer(ClusterState cluster) {
    this.cluster = cluster;
  }

  public PlacementDecision place(PodInfo pod) {
    return place(pod, aside);
  }

  public PlacementDecision place(PodInfo pod, RuleClock clock) {
    return explained(pod, choose(pod, clock));
  }

  /// With what would do in the message of a refusal.
  PlacementDecision explained(PodInfo pod, PlacementDecision decision) {
    return switch (decision) {
      case PlacementDecision.Chosen chosen -> chosen;
      case PlacementDecision.Refused(var refusal) ->
          new PlacementDecision.Refused(
              refusal
                  .withImages(new ImageHint(cluster, pod.needs())::sentence)
                  .withHint(new RuntimeHint(cluster, pod.needs()).text(refusal.causes())));
    };
  }

  private PlacementDecision choose(PodInfo pod, RuleClock clock) {
    if (cluster.size() == 0) {
      return new PlacementDecision.Refused(PlacementRefusal.noNodes());
    }
    Optional<RefusalReason> hopeless = FilterList.beforeNodes(pod.needs(), cluster, clock);
    if (hopeless.isPresent()) {
      return new PlacementDecision.Refused(PlacementRefusal.ofAll(cluster.size(), hopeless.get()));
    }
    // Pods of a DaemonSet name their node by affinity to `metadata.name`. They need one check, not
    // one for each node of the cluster.
    Optional<String> named = pod.needs().nodes().onlyNode();
    if (named.isPresent()) {
      return placeOnNamed(pod, named.get(), clock);
    }
    return mustLookAtEachNode(pod) ? placeNodeByNode(pod, clock) : placeByShape(pod, clock);
  }

  // True for pods whose verdict may differ between two nodes of one group. Their attempts grow with
  // the number of nodes, and with affinity also with the number of pods.
  private boolean mustLookAtEachNode(PodInfo pod) {
    return pod.dependsOnOtherPods() || pod.needs().distinguishesNodes() || cluster.isKeptAway(pod);
  }

  /// The verdicts of trait rules are cached, and nodes with equal use are evaluated once.
  private PlacementDecision placeByShape(PodInfo pod, RuleClock clock) {
    PodRequirements needs = cluster.shared(pod.needs());
    ShapeSearch search = new ShapeSearch(pod, handler(pod), clock);
    for (NodeShape shape : cluster.shapes()) {
      search.visit(shape, shape.verdict(needs, same -> judge(same, shape, clock)));
    }
    return search.result(cluster.size());
  }

  private TraitVerdict judge(PodRequirements needs, NodeShape shape, RuleClock clock) {
    List<RefusalReason> reasons = FilterList.byTraits(needs, shape.example(), cluster, clock);
    double score =
        reasons.isEmpty() ? ScoreList.byTraits(needs, shape.example(), cluster, clock) : 0;
    return new TraitVerdict(reasons, score);
  }

  private PlacementDecision placeOnNamed(PodInfo pod, String name, RuleClock clock) {
    PlacementRefusal.Builder refusal = new PlacementRefusal.Builder();
    NodeState node = cluster.node(name);
    List<RefusalReason> reasons =
        node == null
            ? List.of()
            : refusals(pod, node, FilterList.byNeighbours(pod, cluster, clock), clock);
    if (node != null && reasons.isEmpty()) {
      // Nothing to compare with, so that no score is computed.
      return new PlacementDecision.Chosen(node, 0);
    }
    refusal.add(reasons, 1);
    int others = cluster.size() - (node == null ? 0 : 1);
    if (others > 0) {
      refusal.add(List.of(FilterList.notTheNamedNode()), others);
    }
    return new PlacementDecision.Refused(refusal.build(cluster.size()));
  }

  /// Evaluates every rule on every node: for pods whose placement depends on single nodes or other
  /// pods, and as the reference in tests of the search by shape.
  PlacementDecision placeNodeByNode(PodInfo pod, RuleClock clock) {
    List<PodAffinityFilter.Check> neighbours = FilterList.byNeighbours(pod, cluster, clock);
    PlacementRefusal.Builder refusal = new PlacementRefusal.Builder();
    List<NodeState> fitting = new ArrayList<>();
    for (NodeState node : cluster.nodes()) {
      List<RefusalReason> reasons = refusals(pod, node, neighbours, clock);
      if (reasons.isEmpty()) {
        fitting.add(node);
      } else {
        refusal.add(reasons, 1);
      }
    }
    NodeState best = null;
    double bestScore = Double.NEGATIVE_INFINITY;
    ToDoubleFunction<NodeState> byNeighbours = ScoreList.byNeighbours(pod, fitting, cluster, clock);
    for (NodeState node : fitting) {
      double score = score(pod, node, clock) + byNeighbours.applyAsDouble(node);
      if (score > bestScore) {
        best = node;
        bestScore = score;
      }
    }
    return best == null
        ? new PlacementDecision.Refused(refusal.build(cluster.size()))
        : new PlacementDecision.Chosen(best, bestScore);
  }

  private double score(PodInfo pod, NodeState node, RuleClock clock) {
    return ScoreList.byTraits(pod.needs(), node.info(), cluster, clock)
        + ScoreList.byNode(pod, node, handler(pod), clock);
  }

  private List<RefusalReason> refusals(
      PodInfo pod, NodeState node, List<PodAffinityFilter.Check> neighbours, RuleClock clock) {
    List<RefusalReason> byTraits = FilterList.byTraits(pod.needs(), node.info(), cluster, clock);
    if (!byTraits.isEmpty()) {
      return byTraits;
    }
    List<RefusalReason> byUse = FilterList.byUse(pod, node.info().traits(), node.use(), clock);
    if (!byUse.isEmpty()) {
      return byUse;
    }
    for (PodAffinityFilter.Check check : neighbours) {
      Optional<RefusalReason> reason = check.refusal(node);
      if (reason.isPresent()) {
        return List.of(reason.get());
      }
    }
    return List.of();
  }

  /// The refusals of each node, by its name; an empty list for feasible nodes.
  public Map<String, List<RefusalReason>> explain(PodInfo pod) {
    List<PodAffinityFilter.Check> neighbours = FilterList.byNeighbours(pod, cluster, aside);
    Map<String, List<RefusalReason>> explained = new TreeMap<>();
    for (NodeState node : cluster.nodes()) {
      explained.put(node.name(), refusals(pod, node, neighbours, aside));
    }
    return explained;
  }

  /// Whether the node is feasible by its own traits and use.
  ///
  /// Without rules about other pods: a hint that answers too often is cheaper than those rules.
  public boolean fits(PodInfo pod, @Nullable NodeState node) {
    return node != null
        && suits(pod, node)
        && FilterList.byUse(pod, node.info().traits(), node.use(), aside).isEmpty();
  }

  /// Whether the node exists and is feasible by its traits.
  public boolean suits(PodInfo pod, @Nullable NodeState node) {
    return node != null && FilterList.byTraits(pod.needs(), node.info(), cluster, aside).isEmpty();
  }

  private String handler(PodInfo pod) {
    String handler = cluster.handler(pod.needs().className());
    return handler == null ? "" : handler;
  }
}
