package dev.berth.controllers.daemonsets;

import dev.berth.controllers.workloads.WorkloadPod;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Decides which nodes get a pod and which pods are deleted; pure.
///
/// A node with a pod that terminates gets no other one until that pod is gone, because both might
/// need the same host ports or directories.
///
/// @param create names of nodes
record DaemonPlan(List<String> create, List<WorkloadPod> delete) {
  /// Back-off for pods that fail at once, so that they are not created in a tight loop.
  static final Duration BREATH = Duration.ofSeconds(10);

  /// The observed state: how well each node fits, and the set's pods by node.
  record Observed(Map<String, NodeFit> nodes, Map<String, List<WorkloadPod>> pods) {
    Observed {
      nodes = Map.copyOf(nodes);
      pods = Map.copyOf(pods);
    }

    static Observed of(Map<String, NodeFit> nodes, List<WorkloadPod> pods) {
      Map<String, List<WorkloadPod>> byNode = new LinkedHashMap<>();
      pods.forEach(pod -> byNode.computeIfAbsent(pod.place(), _ -> new ArrayList<>()).add(pod));
      return new Observed(nodes, byNode);
    }

    List<WorkloadPod> on(String node) {
      return pods.getOrDefault(node, List.of());
    }

    /// The nodes that must have a pod, in order.
    List<String> wanted() {
      return nodes.keySet().stream().filter(node -> fit(node).run()).sorted().toList();
    }

    NodeFit fit(String node) {
      return nodes.getOrDefault(node, new NodeFit(false, false));
    }
  }

  /// The parameters of one rollout.
  ///
  /// @param hash of the current template
  /// @param unavailable how many nodes may be without an available pod; no pods are replaced when
  ///   negative
  /// @param surge how many nodes may have a new pod beside the old one, which is deleted when the
  ///   new one is available; when zero, the old one is deleted first
  record Rollout(String hash, int unavailable, int surge, Duration minimum) {
    boolean isCurrent(WorkloadPod pod) {
      return hash.equals(pod.identity().labels().get(DaemonSets.HASH));
    }
  }

  DaemonPlan {
    create = List.copyOf(create);
    delete = List.copyOf(delete);
  }

  static DaemonPlan of(Observed observed, Rollout rollout, Instant now) {
    List<String> create = new ArrayList<>();
    List<WorkloadPod> delete = new ArrayList<>();
    observed.wanted().stream().filter(node -> observed.on(node).isEmpty()).forEach(create::add);
    observed
        .pods()
        .forEach((node, pods) -> delete.addAll(surplus(observed.fit(node), pods, rollout, now)));
    if (rollout.surge() > 0) {
      DaemonPlan surging = SurgeUpdate.plan(observed, rollout, delete, now);
      create.addAll(surging.create());
      delete.addAll(surging.delete());
    } else if (rollout.unavailable() >= 0) {
      delete.addAll(outdated(observed, rollout, delete, now));
    }
    delete.sort(Comparator.comparing(WorkloadPod::key));
    return new DaemonPlan(create, delete);
  }

  /// The pods of one node that must go: all if none may stay, else finished ones after their
  /// back-off, and all but the best of several.
  private static List<WorkloadPod> surplus(
      NodeFit fit, List<WorkloadPod> pods, Rollout rollout, Instant now) {
    if (!fit.stay()) {
      return pods.stream().filter(pod -> !pod.identity().isBeingDeleted()).toList();
    }
    List<WorkloadPod> gone = new ArrayList<>();
    for (WorkloadPod pod : pods) {
      if (pod.isFinished()
          && !pod.identity().isBeingDeleted()
          && !pod.created().plus(BREATH).isAfter(now)) {
        gone.add(pod);
      }
    }
    Map<Boolean, List<WorkloadPod>> kinds =
        pods.stream()
            .filter(WorkloadPod::isActive)
            .sorted(
                Comparator.<WorkloadPod, Boolean>comparing(pod -> !pod.isReady())
                    .thenComparing(WorkloadPod::created)
                    .thenComparing(WorkloadPod::key))
            .collect(Collectors.groupingBy(pod -> rollout.surge() > 0 && rollout.isCurrent(pod)));
    // Of several pods on a node the best stays: a ready one before others, then the oldest.
    kinds.values().forEach(equal -> gone.addAll(equal.subList(1, equal.size())));
    return gone;
  }

  /// The pods of earlier templates to delete: unavailable ones at once, available ones within the
  /// limit.
  private static List<WorkloadPod> outdated(
      Observed observed, Rollout rollout, List<WorkloadPod> going, Instant now) {
    List<WorkloadPod> next = new ArrayList<>();
    List<WorkloadPod> working = new ArrayList<>();
    int without = 0;
    for (String node : observed.wanted()) {
      List<WorkloadPod> pods =
          observed.on(node).stream().filter(pod -> pod.isActive() && !going.contains(pod)).toList();
      boolean works = pods.stream().anyMatch(pod -> pod.isAvailable(rollout.minimum(), now));
      without += works ? 0 : 1;
      pods.stream()
          .filter(pod -> !rollout.isCurrent(pod))
          .forEach(pod -> (works ? working : next).add(pod));
    }
    // Nodes without an available pod use up the limit first, whatever the reason.
    int allowed = Math.clamp((long) rollout.unavailable() - without, 0, working.size());
    next.addAll(working.subList(0, allowed));
    return next;
  }
}
