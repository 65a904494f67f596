package dev.berth.controllers.daemonsets;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.controllers.workloads.WorkloadPod;
import dev.berth.controllers.workloads.WorkloadStatusWriter;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Computes the status of a DaemonSet from its nodes and pods; pure. Nodes are counted, not pods:
/// `kubectl rollout status` compares these numbers.
final class DaemonStatus {
  private DaemonStatus() {}

  static ObjectNode of(
      JsonNode set, DaemonPlan.Observed observed, DaemonPlan.Rollout rollout, Instant now) {
    int scheduled = 0;
    int ready = 0;
    int available = 0;
    int updated = 0;
    List<String> wanted = observed.wanted();
    for (String node : wanted) {
      List<WorkloadPod> pods = observed.on(node).stream().filter(WorkloadPod::isActive).toList();
      scheduled += pods.isEmpty() ? 0 : 1;
      ready += pods.stream().anyMatch(WorkloadPod::isReady) ? 1 : 0;
      available += pods.stream().anyMatch(pod -> pod.isAvailable(rollout.minimum(), now)) ? 1 : 0;
      // During a surge the old pod may still exist beside the new one: the node counts as updated
      // only when the old one is gone.
      updated += oldest(pods).filter(rollout::isCurrent).isPresent() ? 1 : 0;
    }
    // Nodes that should not have a pod and have one, such as those with a new taint.
    long elsewhere =
        observed.pods().keySet().stream()
            .filter(node -> observed.nodes().containsKey(node) && !observed.fit(node).run())
            .filter(node -> observed.on(node).stream().anyMatch(WorkloadPod::isActive))
            .count();
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    status.put("currentNumberScheduled", scheduled);
    status.put("numberMisscheduled", (int) elsewhere);
    status.put("desiredNumberScheduled", wanted.size());
    status.put("numberReady", ready);
    status.put("observedGeneration", set.path("metadata").path("generation").asInt());
    WorkloadStatusWriter.count(status, "updatedNumberScheduled", updated);
    WorkloadStatusWriter.count(status, "numberAvailable", available);
    WorkloadStatusWriter.count(status, "numberUnavailable", wanted.size() - available);
    for (String others : List.of("collisionCount", "conditions")) {
      JsonNode value = set.path("status").path(others);
      if (!value.isMissingNode()) {
        status.set(others, value);
      }
    }
    return status;
  }

  private static Optional<WorkloadPod> oldest(List<WorkloadPod> pods) {
    return pods.stream()
        .min(Comparator.comparing(WorkloadPod::created).thenComparing(WorkloadPod::key));
  }
}
