package dev.berth.scheduler.filters;

import dev.berth.scheduler.cluster.NodeAllocation;
import dev.berth.scheduler.model.NodeTraits;
import dev.berth.scheduler.model.PodInfo;
import dev.berth.scheduler.model.RefusalCause;
import dev.berth.scheduler.model.RefusalReason;
import dev.berth.scheduler.model.ResourceVector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Refuses nodes without enough free resources, overhead included, or without room for one more
/// pod. The reasons name every missing resource.
final class ResourcesFit implements AllocationFilter {
  private static final RefusalReason TOO_MANY =
      new RefusalReason(RefusalCause.POD_COUNT, "Too many pods");

  @Override
  public List<RefusalReason> refusals(PodInfo pod, NodeTraits traits, NodeAllocation use) {
    ResourceVector wanted = pod.requests();
    ResourceVector taken = use.requests();
    ResourceVector all = traits.allocatable();
    boolean basicsFit =
        use.pods() < traits.maxPods()
            && fits(wanted.cpu(), taken.cpu(), all.cpu())
            && fits(wanted.memory(), taken.memory(), all.memory())
            && fits(wanted.storage(), taken.storage(), all.storage());
    if (basicsFit && wanted.extended().isEmpty()) {
      return List.of();
    }
    return lacking(wanted, taken, all, use.pods() < traits.maxPods());
  }

  private static List<RefusalReason> lacking(
      ResourceVector wanted, ResourceVector taken, ResourceVector all, boolean place) {
    List<RefusalReason> reasons = new ArrayList<>();
    if (!place) {
      reasons.add(TOO_MANY);
    }
    check(reasons, "cpu", wanted.cpu(), taken.cpu(), all.cpu());
    check(reasons, "memory", wanted.memory(), taken.memory(), all.memory());
    check(reasons, "ephemeral-storage", wanted.storage(), taken.storage(), all.storage());
    for (Map.Entry<String, Long> entry : wanted.extended().entrySet()) {
      String name = entry.getKey();
      check(reasons, name, entry.getValue(), taken.extended(name), all.extended(name));
    }
    return reasons;
  }

  private static void check(
      List<RefusalReason> reasons, String name, long wanted, long taken, long all) {
    if (!fits(wanted, taken, all)) {
      reasons.add(new RefusalReason(RefusalCause.RESOURCES, "Insufficient " + name));
    }
  }

  /// A zero request always fits, even on an overcommitted node.
  private static boolean fits(long wanted, long taken, long all) {
    return wanted == 0 || wanted <= all - taken;
  }
}
