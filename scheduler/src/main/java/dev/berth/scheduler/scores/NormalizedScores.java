package dev.berth.scheduler.scores;

import dev.berth.scheduler.cluster.NodeState;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// Normalizes raw scores so that the worst node gets 0 and the best 100; when all are equal, all
/// get 100.
///
/// Only over feasible nodes, as upstream's NormalizeScore: an infeasible one would compress the
/// range.
final class NormalizedScores {
  private NormalizedScores() {}

  static ToDoubleFunction<NodeState> over(List<NodeState> nodes, ToDoubleFunction<NodeState> raw) {
    double least = nodes.stream().mapToDouble(raw).min().orElse(0);
    double most = nodes.stream().mapToDouble(raw).max().orElse(0);
    return node -> most == least ? 100 : 100 * (raw.applyAsDouble(node) - least) / (most - least);
  }
}
