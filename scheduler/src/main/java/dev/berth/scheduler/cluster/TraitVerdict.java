package dev.berth.scheduler.cluster;

import dev.berth.scheduler.model.RefusalReason;
import java.util.List;

/// The verdict of the trait rules about a pod's requirements.
///
/// @param reasons of the refusal; empty when the nodes are feasible
/// @param score the weighted total of the trait scores
public record TraitVerdict(List<RefusalReason> reasons, double score) {
  public boolean isRefusal() {
    return !reasons.isEmpty();
  }
}
