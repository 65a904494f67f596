package dev.berth.controllers.daemonsets;

import dev.berth.controllers.daemonsets.DaemonPlan.Observed;
import dev.berth.controllers.daemonsets.DaemonPlan.Rollout;
import dev.berth.controllers.workloads.WorkloadPod;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Replaces pods by creating the new pod beside the old one, so that no node is without an
/// available pod.
final class SurgeUpdate {
  private SurgeUpdate() {}

  /// @param going pods that are deleted for other reasons
  static DaemonPlan plan(Observed observed, Rollout rollout, List<WorkloadPod> going, Instant now) {
    List<String> create = new ArrayList<>();
    List<String> could = new ArrayList<>();
    List<WorkloadPod> delete = new ArrayList<>();
    int busy = 0;
    for (String node : observed.wanted()) {
      List<WorkloadPod> pods =
          observed.on(node).stream()
              .filter(pod -> !pod.identity().isBeingDeleted() && !going.contains(pod))
              .toList();
      Optional<WorkloadPod> old =
          pods.stream().filter(pod -> pod.isActive() && !rollout.isCurrent(pod)).findFirst();
      // A failed pod counts until it is deleted; otherwise its replacements would not wait for the
      // back-off.
      Optional<WorkloadPod> fresh = pods.stream().filter(rollout::isCurrent).findFirst();
      if (old.isEmpty()) {
        continue;
      }
      if (fresh.isEmpty()) {
        // Replacing an unavailable pod costs no availability and does not count against the surge.
        (old.get().isAvailable(rollout.minimum(), now) ? could : create).add(node);
      } else if (!old.get().isReady() || works(fresh.get(), rollout, now)) {
        delete.add(old.get());
      } else {
        busy++;
      }
    }
    create.addAll(could.subList(0, Math.clamp((long) rollout.surge() - busy, 0, could.size())));
    return new DaemonPlan(create, delete);
  }

  private static boolean works(WorkloadPod pod, Rollout rollout, Instant now) {
    return pod.isActive() && pod.isAvailable(rollout.minimum(), now);
  }
}
