package dev.berth.controllers.replicasets;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.controllers.workloads.ObjectIdentity;
import dev.berth.controllers.workloads.WorkloadConditions;
import dev.berth.controllers.workloads.WorkloadPod;
import dev.berth.controllers.workloads.WorkloadStatusWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Computes the status of a ReplicaSet from its pods; pure.
final class ReplicaSetStatus {
  private static final String FAILURE = "ReplicaFailure";

  private ReplicaSetStatus() {}

  /// @param failure why pods could not be created or deleted; empty without a failure
  static ObjectNode of(JsonNode set, List<WorkloadPod> pods, String failure, Instant now) {
    List<WorkloadPod> active = pods.stream().filter(WorkloadPod::isActive).toList();
    Map<String, String> template =
        ObjectIdentity.texts(set.path("spec").path("template").path("metadata").path("labels"));
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    status.put("replicas", active.size());
    WorkloadStatusWriter.count(status, "fullyLabeledReplicas", labelled(active, template));
    WorkloadStatusWriter.count(
        status, "readyReplicas", active.stream().filter(WorkloadPod::isReady).count());
    Duration minimum = minimum(set);
    WorkloadStatusWriter.count(
        status,
        "availableReplicas",
        active.stream().filter(pod -> pod.isAvailable(minimum, now)).count());
    status.put("observedGeneration", set.path("metadata").path("generation").asLong());
    WorkloadConditions conditions =
        new WorkloadConditions(set.path("status").path("conditions"), now);
    if (failure.isEmpty()) {
      conditions.remove(FAILURE);
    } else {
      conditions.set(FAILURE, true, "FailedCreate", failure, false);
    }
    if (!conditions.all().isEmpty()) {
      // Conditions of a ReplicaSet have no such field, unlike those of a Deployment.
      conditions.all().forEach(one -> ((ObjectNode) one).remove("lastUpdateTime"));
      status.set("conditions", conditions.all());
    }
    return status;
  }

  /// The pods with all labels of the current template, which may have changed since their creation.
  private static long labelled(List<WorkloadPod> active, Map<String, String> template) {
    return active.stream()
        .filter(pod -> pod.identity().labels().entrySet().containsAll(template.entrySet()))
        .count();
  }

  private static Duration minimum(JsonNode set) {
    return Duration.ofSeconds(set.path("spec").path("minReadySeconds").asLong());
  }

  /// When the next ready pod becomes available.
  static Optional<Instant> nextAvailable(JsonNode set, List<WorkloadPod> pods, Instant now) {
    Duration minimum = minimum(set);
    return pods.stream()
        .filter(WorkloadPod::isActive)
        .filter(pod -> pod.isReady() && !pod.isAvailable(minimum, now))
        .map(pod -> pod.readySince().plus(minimum))
        .min(Instant::compareTo);
  }
}
