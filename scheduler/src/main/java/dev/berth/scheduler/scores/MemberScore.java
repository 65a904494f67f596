package dev.berth.scheduler.scores;

/// A score that may differ between nodes of equal use.
interface MemberScore extends NodeScore {
  /// The upper bound for any node.
  ///
  /// @param imagesKnown whether any node in question has any of the pod's images
  default double best(boolean imagesKnown) {
    return BEST;
  }
}
