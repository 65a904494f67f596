package dev.berth.scheduler.filters;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.Use;
import dev.berth.scheduler.model.NodeInfo;
import dev.berth.scheduler.model.NodeTraits;
import dev.berth.scheduler.model.PodInfo;
import dev.berth.scheduler.model.PodNeeds;
import dev.berth.scheduler.model.Reason;
import java.util.List;
import java.util.Optional;

/// All rules in the order in which they are asked; the first that refuses a node names the reason.
public final class Filters {
  private static final List<TraitFilter> TRAITS =
      List.of(
          new NotUnschedulable(),
          new TaintsTolerated(),
          new NodeAffinity(),
          new OperatingSystem(),
          new RuntimeOffered());
  private static final List<UseFilter> USES = List.of(new HostPortsFree(), new ResourcesFit());
  private static final List<NeighbourFilter> NEIGHBOURS =
      List.of(new TopologySpread(), new InterPodAffinity());

  private Filters() {}

  public static List<Reason> byTraits(PodNeeds needs, NodeInfo node, Cluster cluster) {
    for (TraitFilter filter : TRAITS) {
      Optional<Reason> reason = filter.refusal(needs, node, cluster);
      if (reason.isPresent()) {
        return List.of(reason.get());
      }
    }
    return List.of();
  }

  public static List<Reason> byUse(PodInfo pod, NodeTraits traits, Use use) {
    for (UseFilter filter : USES) {
      List<Reason> reasons = filter.refusals(pod, traits, use);
      if (!reasons.isEmpty()) {
        return reasons;
      }
    }
    return List.of();
  }

  public static List<NeighbourFilter.Check> byNeighbours(PodInfo pod, Cluster cluster) {
    return NEIGHBOURS.stream().map(filter -> filter.prepare(pod, cluster)).toList();
  }

  /// Why no node at all can do; empty when nodes have to be looked at.
  public static Optional<Reason> beforeNodes(PodNeeds needs, Cluster cluster) {
    return cluster.handler(needs.className()) == null
        ? Optional.of(RuntimeOffered.classMissing(needs.className()))
        : Optional.empty();
  }

  /// The reason that all nodes have but the one that a pod names.
  public static Reason notTheNamedNode() {
    return NodeAffinity.REASON;
  }
}
