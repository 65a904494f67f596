package dev.berth.scheduler.placement;

import dev.berth.scheduler.cluster.NodeAllocation;
import dev.berth.scheduler.cluster.NodeShape;
import dev.berth.scheduler.cluster.NodeState;
import dev.berth.scheduler.cluster.TraitVerdict;
import dev.berth.scheduler.filters.FilterList;
import dev.berth.scheduler.model.PodInfo;
import dev.berth.scheduler.model.RefusalReason;
import dev.berth.scheduler.rules.RuleClock;
import dev.berth.scheduler.scores.ScoreList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The search for one pod's node, shape by shape.
///
/// Within a shape it begins with the least used nodes and stops when no remaining node can score
/// higher. The number of compared nodes is bounded: where very many nodes differ in images and use,
/// the choice is good but not always the best. Whether any node is feasible is always exact.
final class ShapeSearch {
  /// Maximum nodes of equal use that are compared by their images and sibling pods.
  // With the bound on groups, one shape costs at most 32 x 32 member scores, and 32 per image of
  // the pod.
  static final int MEMBERS = 32;

  /// Maximum groups of equal use that are compared in one shape.
  private static final int GROUPS = 32;

  private final PodInfo pod;
  private final String handler;
  private final RuleClock clock;
  private final PlacementRefusal.Builder refusal = new PlacementRefusal.Builder();
  private @Nullable NodeState best;
  private double bestScore = Double.NEGATIVE_INFINITY;

  ShapeSearch(PodInfo pod, String handler, RuleClock clock) {
    this.pod = pod;
    this.handler = handler;
    this.clock = clock;
  }

  void visit(NodeShape shape, TraitVerdict verdict) {
    if (verdict.isRefusal()) {
      refusal.add(verdict.reasons(), shape.size());
      return;
    }
    // Before the groups, so that the best holder raises the bar at which the groups are left.
    boolean imagesKnown = visitHoldersOfImages(shape, verdict.score());
    double bestMember = ScoreList.bestMember(imagesKnown);
    int compared = 0;
    for (Map<NodeAllocation, Set<NodeState>> equallyLoaded : shape.groups()) {
      for (Map.Entry<NodeAllocation, Set<NodeState>> group : equallyLoaded.entrySet()) {
        NodeState first = group.getValue().iterator().next();
        List<RefusalReason> reasons = FilterList.byUse(pod, shape.traits(), group.getKey(), clock);
        if (!reasons.isEmpty()) {
          refusal.add(reasons, group.getValue().size());
          continue;
        }
        double bound = verdict.score() + ScoreList.bestFrom(pod, first, handler) + bestMember;
        // Groups come least used first, so no later group of this shape can exceed the bound. Their
        // refusals stay uncounted, which is correct only because a node has been found here: at
        // least one group was feasible, or a better node is known already.
        if (bound <= bestScore || ++compared > GROUPS) {
          return;
        }
        compareMembers(group.getValue(), verdict.score(), bestMember);
      }
    }
  }

  private void compareMembers(Set<NodeState> members, double traitScore, double bestMember) {
    double shared = traitScore;
    boolean first = true;
    int compared = 0;
    for (NodeState node : members) {
      if (first) {
        shared += ScoreList.byUse(pod, node, handler, clock);
        first = false;
      }
      double own = ScoreList.byMember(pod, node, handler, clock);
      offer(node, shared + own);
      // No other member can have more: without known images that is usually the first one.
      if (own >= bestMember || ++compared >= MEMBERS) {
        return;
      }
    }
  }

  /// Nodes with an image of the pod may score higher than less used nodes without it.
  private boolean visitHoldersOfImages(NodeShape shape, double traitScore) {
    boolean known = false;
    for (String image : pod.images()) {
      Set<NodeState> holders = shape.withImage(image);
      known |= !holders.isEmpty();
      int compared = 0;
      for (NodeState node : holders) {
        if (++compared > MEMBERS) {
          break;
        }
        if (FilterList.byUse(pod, shape.traits(), node.use(), clock).isEmpty()) {
          offer(
              node,
              traitScore
                  + ScoreList.byUse(pod, node, handler, clock)
                  + ScoreList.byMember(pod, node, handler, clock));
        }
      }
    }
    return known;
  }

  private void offer(NodeState node, double score) {
    // The first of equal nodes wins. Upstream draws lots; here a placement changes the use of the
    // node, so that equal nodes are taken in turns anyway.
    if (score > bestScore) {
      best = node;
      bestScore = score;
    }
  }

  PlacementDecision result(int nodes) {
    return best == null
        ? new PlacementDecision.Refused(refusal.build(nodes))
        : new PlacementDecision.Chosen(best, bestScore);
  }
}
