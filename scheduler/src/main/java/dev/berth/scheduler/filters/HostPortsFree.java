package dev.berth.scheduler.filters;

import dev.berth.api.pods.HostPort;
import dev.berth.scheduler.cluster.NodeAllocation;
import dev.berth.scheduler.model.NodeTraits;
import dev.berth.scheduler.model.PodInfo;
import dev.berth.scheduler.model.RefusalCause;
import dev.berth.scheduler.model.RefusalReason;
import java.util.List;

/// Refuses nodes on which a host port of the pod is taken.
final class HostPortsFree implements AllocationFilter {
  private static final List<RefusalReason> TAKEN =
      List.of(
          new RefusalReason(
              RefusalCause.PORTS, "node(s) didn't have free ports for the requested pod ports"));

  @Override
  public List<RefusalReason> refusals(PodInfo pod, NodeTraits traits, NodeAllocation use) {
    for (HostPort wanted : pod.ports()) {
      for (HostPort taken : use.ports()) {
        if (wanted.conflictsWith(taken)) {
          return TAKEN;
        }
      }
    }
    return List.of();
  }
}
