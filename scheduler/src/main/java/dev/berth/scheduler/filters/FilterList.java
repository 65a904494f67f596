package dev.berth.scheduler.filters;

import dev.berth.scheduler.cluster.ClusterState;
import dev.berth.scheduler.cluster.NodeAllocation;
import dev.berth.scheduler.model.NodeInfo;
import dev.berth.scheduler.model.NodeTraits;
import dev.berth.scheduler.model.PodInfo;
import dev.berth.scheduler.model.PodRequirements;
import dev.berth.scheduler.model.RefusalReason;
import dev.berth.scheduler.rules.RuleClock;
import dev.berth.scheduler.rules.SchedulingRule;
import java.util.List;
import java.util.Optional;

/// All filters in their order of evaluation; the first that refuses a node gives the reason.
public final class FilterList {
  private record Ruled<F>(SchedulingRule rule, F filter) {}

  private record RuledNeighbours(
      SchedulingRule prepared, SchedulingRule rule, PodAffinityFilter filter) {}

  private static final List<Ruled<TraitFilter>> TRAITS =
      List.of(
          new Ruled<>(SchedulingRule.UNSCHEDULABLE, new NotUnschedulable()),
          new Ruled<>(SchedulingRule.TAINTS, new TaintsTolerated()),
          new Ruled<>(SchedulingRule.AFFINITY, new NodeAffinity()),
          new Ruled<>(SchedulingRule.OPERATING_SYSTEM, new OperatingSystem()),
          new Ruled<>(SchedulingRule.DEMANDS, new ClaimsProvided()),
          new Ruled<>(SchedulingRule.RUNTIME, new RuntimeOffered()),
          new Ruled<>(SchedulingRule.IMAGE_PLATFORMS, new ImagePlatforms()));
  private static final List<Ruled<AllocationFilter>> USES =
      List.of(
          new Ruled<>(SchedulingRule.PORTS, new HostPortsFree()),
          new Ruled<>(SchedulingRule.RESOURCES, new ResourcesFit()));
  private static final List<RuledNeighbours> NEIGHBOURS =
      List.of(
          new RuledNeighbours(
              SchedulingRule.SPREAD_PREPARED, SchedulingRule.SPREAD, new TopologySpread()),
          new RuledNeighbours(
              SchedulingRule.POD_AFFINITY_PREPARED,
              SchedulingRule.POD_AFFINITY,
              new InterPodAffinity()));

  private FilterList() {}

  public static List<RefusalReason> byTraits(
      PodRequirements needs, NodeInfo node, ClusterState cluster, RuleClock clock) {
    for (Ruled<TraitFilter> one : TRAITS) {
      long begun = clock.begin(one.rule());
      Optional<RefusalReason> reason = one.filter().refusal(needs, node, cluster);
      clock.end(one.rule(), reason.isEmpty(), begun);
      if (reason.isPresent()) {
        return List.of(reason.get());
      }
    }
    return List.of();
  }

  public static List<RefusalReason> byUse(
      PodInfo pod, NodeTraits traits, NodeAllocation use, RuleClock clock) {
    for (Ruled<AllocationFilter> one : USES) {
      long begun = clock.begin(one.rule());
      List<RefusalReason> reasons = one.filter().refusals(pod, traits, use);
      clock.end(one.rule(), reasons.isEmpty(), begun);
      if (!reasons.isEmpty()) {
        return reasons;
      }
    }
    return List.of();
  }

  public static List<PodAffinityFilter.Check> byNeighbours(
      PodInfo pod, ClusterState cluster, RuleClock clock) {
    return NEIGHBOURS.stream().map(one -> prepare(one, pod, cluster, clock)).toList();
  }

  private static PodAffinityFilter.Check prepare(
      RuledNeighbours one, PodInfo pod, ClusterState cluster, RuleClock clock) {
    long started = clock.begin(one.prepared());
    PodAffinityFilter.Check check = one.filter().prepare(pod, cluster);
    clock.end(one.prepared(), true, started);
    return node -> {
      long begun = clock.begin(one.rule());
      Optional<RefusalReason> reason = check.refusal(node);
      clock.end(one.rule(), reason.isEmpty(), begun);
      return reason;
    };
  }

  /// Why no node can be feasible, decided without looking at nodes; empty otherwise.
  public static Optional<RefusalReason> beforeNodes(
      PodRequirements needs, ClusterState cluster, RuleClock clock) {
    long begun = clock.begin(SchedulingRule.CLASS_EXISTS);
    boolean exists = cluster.handler(needs.className()) != null;
    clock.end(SchedulingRule.CLASS_EXISTS, exists, begun);
    return exists ? Optional.empty() : Optional.of(RuntimeOffered.classMissing(needs.className()));
  }

  /// The reason of all nodes but the one that the pod names.
  public static RefusalReason notTheNamedNode() {
    return NodeAffinity.REASON;
  }
}
