package dev.berth.scheduler.placement;

import dev.berth.scheduler.cluster.NodeState;
import dev.berth.scheduler.cluster.Shape;
import dev.berth.scheduler.cluster.Use;
import dev.berth.scheduler.cluster.Verdict;
import dev.berth.scheduler.filters.Filters;
import dev.berth.scheduler.model.PodInfo;
import dev.berth.scheduler.model.Reason;
import dev.berth.scheduler.rules.RuleClock;
import dev.berth.scheduler.scores.Scores;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The search for one pod's node, shape by shape.
///
/// Inside a shape it begins with the least used nodes and stops when what is left cannot be better.
/// How many nodes it compares is bounded, so where very many nodes differ in images and use the
/// choice is a good one, not always the best; whether there is a node at all is always exact.
final class ShapeSearch {
  /// Nodes of equal use that are compared for their images and siblings.
  static final int MEMBERS = 32;

  /// Groups of equal use that are compared in one shape.
  private static final int GROUPS = 32;

  private final PodInfo pod;
  private final String handler;
  private final RuleClock clock;
  private final Refusal.Builder refusal = new Refusal.Builder();
  private @Nullable NodeState best;
  private double bestScore = Double.NEGATIVE_INFINITY;

  ShapeSearch(PodInfo pod, String handler, RuleClock clock) {
    this.pod = pod;
    this.handler = handler;
    this.clock = clock;
  }

  void visit(Shape shape, Verdict verdict) {
    if (verdict.isRefusal()) {
      refusal.add(verdict.reasons(), shape.size());
      return;
    }
    boolean imagesKnown = visitHoldersOfImages(shape, verdict.score());
    double bestMember = Scores.bestMember(imagesKnown);
    int compared = 0;
    for (Map<Use, Set<NodeState>> equallyLoaded : shape.groups()) {
      for (Map.Entry<Use, Set<NodeState>> group : equallyLoaded.entrySet()) {
        NodeState first = group.getValue().iterator().next();
        List<Reason> reasons = Filters.byUse(pod, shape.traits(), group.getKey(), clock);
        if (!reasons.isEmpty()) {
          refusal.add(reasons, group.getValue().size());
          continue;
        }
        double bound = verdict.score() + Scores.bestFrom(pod, first, handler) + bestMember;
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
        shared += Scores.byUse(pod, node, handler, clock);
        first = false;
      }
      double own = Scores.byMember(pod, node, handler, clock);
      offer(node, shared + own);
      if (own >= bestMember || ++compared >= MEMBERS) {
        return;
      }
    }
  }

  /// Nodes that have an image may win over less used ones that do not.
  private boolean visitHoldersOfImages(Shape shape, double traitScore) {
    boolean known = false;
    for (String image : pod.images()) {
      Set<NodeState> holders = shape.withImage(image);
      known |= !holders.isEmpty();
      int compared = 0;
      for (NodeState node : holders) {
        if (++compared > MEMBERS) {
          break;
        }
        if (Filters.byUse(pod, shape.traits(), node.use(), clock).isEmpty()) {
          offer(
              node,
              traitScore
                  + Scores.byUse(pod, node, handler, clock)
                  + Scores.byMember(pod, node, handler, clock));
        }
      }
    }
    return known;
  }

  private void offer(NodeState node, double score) {
    if (score > bestScore) {
      best = node;
      bestScore = score;
    }
  }

  Decision result(int nodes) {
    return best == null
        ? new Decision.Refused(refusal.build(nodes))
        : new Decision.Chosen(best, bestScore);
  }
}
