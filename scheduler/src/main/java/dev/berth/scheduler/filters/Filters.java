package dev.berth.scheduler.filters;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.Use;
import dev.berth.scheduler.model.NodeInfo;
import dev.berth.scheduler.model.NodeTraits;
import dev.berth.scheduler.model.PodInfo;
import dev.berth.scheduler.model.PodNeeds;
import dev.berth.scheduler.model.Reason;
import dev.berth.scheduler.rules.Rule;
import dev.berth.scheduler.rules.RuleClock;
import java.util.List;
import java.util.Optional;

/// All rules in the order in which they are asked; the first that refuses a node names the reason.
public final class Filters {
  private record Ruled<F>(Rule rule, F filter) {}

  private record RuledNeighbours(Rule prepared, Rule rule, NeighbourFilter filter) {}

  private static final List<Ruled<TraitFilter>> TRAITS =
      List.of(
          new Ruled<>(Rule.UNSCHEDULABLE, new NotUnschedulable()),
          new Ruled<>(Rule.TAINTS, new TaintsTolerated()),
          new Ruled<>(Rule.AFFINITY, new NodeAffinity()),
          new Ruled<>(Rule.OPERATING_SYSTEM, new OperatingSystem()),
          new Ruled<>(Rule.DEMANDS, new DemandsProvided()),
          new Ruled<>(Rule.RUNTIME, new RuntimeOffered()));
  private static final List<Ruled<UseFilter>> USES =
      List.of(
          new Ruled<>(Rule.PORTS, new HostPortsFree()),
          new Ruled<>(Rule.RESOURCES, new ResourcesFit()));
  private static final List<RuledNeighbours> NEIGHBOURS =
      List.of(
          new RuledNeighbours(Rule.SPREAD_PREPARED, Rule.SPREAD, new TopologySpread()),
          new RuledNeighbours(
              Rule.POD_AFFINITY_PREPARED, Rule.POD_AFFINITY, new InterPodAffinity()));

  private Filters() {}

  public static List<Reason> byTraits(
      PodNeeds needs, NodeInfo node, Cluster cluster, RuleClock clock) {
    for (Ruled<TraitFilter> one : TRAITS) {
      long begun = clock.begin(one.rule());
      Optional<Reason> reason = one.filter().refusal(needs, node, cluster);
      clock.end(one.rule(), reason.isEmpty(), begun);
      if (reason.isPresent()) {
        return List.of(reason.get());
      }
    }
    return List.of();
  }

  public static List<Reason> byUse(PodInfo pod, NodeTraits traits, Use use, RuleClock clock) {
    for (Ruled<UseFilter> one : USES) {
      long begun = clock.begin(one.rule());
      List<Reason> reasons = one.filter().refusals(pod, traits, use);
      clock.end(one.rule(), reasons.isEmpty(), begun);
      if (!reasons.isEmpty()) {
        return reasons;
      }
    }
    return List.of();
  }

  public static List<NeighbourFilter.Check> byNeighbours(
      PodInfo pod, Cluster cluster, RuleClock clock) {
    return NEIGHBOURS.stream().map(one -> prepare(one, pod, cluster, clock)).toList();
  }

  private static NeighbourFilter.Check prepare(
      RuledNeighbours one, PodInfo pod, Cluster cluster, RuleClock clock) {
    long started = clock.begin(one.prepared());
    NeighbourFilter.Check check = one.filter().prepare(pod, cluster);
    clock.end(one.prepared(), true, started);
    return node -> {
      long begun = clock.begin(one.rule());
      Optional<Reason> reason = check.refusal(node);
      clock.end(one.rule(), reason.isEmpty(), begun);
      return reason;
    };
  }

  /// Why no node at all can do; empty when nodes have to be looked at.
  public static Optional<Reason> beforeNodes(PodNeeds needs, Cluster cluster, RuleClock clock) {
    long begun = clock.begin(Rule.CLASS_EXISTS);
    boolean exists = cluster.handler(needs.className()) != null;
    clock.end(Rule.CLASS_EXISTS, exists, begun);
    return exists ? Optional.empty() : Optional.of(RuntimeOffered.classMissing(needs.className()));
  }

  /// The reason that all nodes have but the one that a pod names.
  public static Reason notTheNamedNode() {
    return NodeAffinity.REASON;
  }
}
