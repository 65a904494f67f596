package dev.berth.scheduler.cluster;

import dev.berth.scheduler.model.RefusalReason;
import java.util.List;

/// What the rules about traits say to a pod's needs.
///
/// @param reasons why not; empty when nothing is in the way
/// @param score of the rules about traits, already weighted
public record TraitVerdict(List<RefusalReason> reasons, double score) {
  public boolean isRefusal() {
    return !reasons.isEmpty();
  }
}
