package dev.berth.scheduler.filters;

import dev.berth.scheduler.cluster.Use;
import dev.berth.scheduler.model.Amounts;
import dev.berth.scheduler.model.Cause;
import dev.berth.scheduler.model.NodeTraits;
import dev.berth.scheduler.model.PodInfo;
import dev.berth.scheduler.model.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// What the pod requests, overhead included, is free on the node, and so is a place for one more
/// pod. All that is lacking is told.
final class ResourcesFit implements UseFilter {
  private static final Reason TOO_MANY = new Reason(Cause.POD_COUNT, "Too many pods");

  @Override
  public List<Reason> refusals(PodInfo pod, NodeTraits traits, Use use) {
    Amounts wanted = pod.requests();
    Amounts taken = use.requests();
    Amounts all = traits.allocatable();
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

  private static List<Reason> lacking(Amounts wanted, Amounts taken, Amounts all, boolean place) {
    List<Reason> reasons = new ArrayList<>();
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

  private static void check(List<Reason> reasons, String name, long wanted, long taken, long all) {
    if (!fits(wanted, taken, all)) {
      reasons.add(new Reason(Cause.RESOURCES, "Insufficient " + name));
    }
  }

  /// What requests nothing always fits, also on a node that has been given too much.
  private static boolean fits(long wanted, long taken, long all) {
    return wanted == 0 || wanted <= all - taken;
  }
}
