package dev.berth.scheduler.filters;

import dev.berth.api.pods.HostPort;
import dev.berth.scheduler.cluster.Use;
import dev.berth.scheduler.model.Cause;
import dev.berth.scheduler.model.NodeTraits;
import dev.berth.scheduler.model.PodInfo;
import dev.berth.scheduler.model.Reason;
import java.util.List;

/// The ports of the node that the pod takes are free.
final class HostPortsFree implements UseFilter {
  private static final List<Reason> TAKEN =
      List.of(
          new Reason(Cause.PORTS, "node(s) didn't have free ports for the requested pod ports"));

  @Override
  public List<Reason> refusals(PodInfo pod, NodeTraits traits, Use use) {
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
