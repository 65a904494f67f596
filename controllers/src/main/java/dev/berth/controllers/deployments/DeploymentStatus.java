package dev.berth.controllers.deployments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.controllers.workloads.WorkloadConditions;
import dev.berth.controllers.workloads.WorkloadStatusWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Computes the status of a Deployment from its revisions; `kubectl rollout status` waits for it.
/// Reasons and messages are upstream's, because that command distinguishes them.
final class DeploymentStatus {
  private static final String PROGRESSING = "Progressing";
  private static final String DONE = "NewReplicaSetAvailable";
  private static final String TIMED_OUT = "ProgressDeadlineExceeded";
  private static final String PAUSED = "DeploymentPaused";

  /// The revisions, as they are after this step.
  ///
  /// @param madeNow whether the set of the latest revision was created in this step
  record Seen(Optional<DeploymentRevision> latest, List<DeploymentRevision> old, boolean madeNow) {
    Seen {
      old = List.copyOf(old);
    }

    List<DeploymentRevision> all() {
      List<DeploymentRevision> all = new ArrayList<>(old);
      latest.ifPresent(all::add);
      return all;
    }
  }

  private DeploymentStatus() {}

  static ObjectNode of(JsonNode deployment, RolloutStrategy strategy, Seen seen, Instant now) {
    JsonNode before = deployment.path("status");
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    int available = sum(seen.all(), "availableReplicas");
    status.put("observedGeneration", deployment.path("metadata").path("generation").asInt());
    WorkloadStatusWriter.count(status, "replicas", sum(seen.all(), "replicas"));
    WorkloadStatusWriter.count(
        status, "updatedReplicas", sum(seen.latest().stream().toList(), "replicas"));
    WorkloadStatusWriter.count(status, "readyReplicas", sum(seen.all(), "readyReplicas"));
    WorkloadStatusWriter.count(status, "availableReplicas", available);
    WorkloadStatusWriter.count(
        status,
        "unavailableReplicas",
        Math.max(0, DeploymentRollout.total(seen.all()) - available));
    if (before.has("collisionCount")) {
      status.set("collisionCount", before.get("collisionCount"));
    }
    WorkloadConditions conditions = new WorkloadConditions(before.path("conditions"), now);
    available(conditions, available >= strategy.leastAvailable());
    progress(conditions, deployment, status, seen, now);
    failure(conditions, seen);
    status.set("conditions", conditions.all());
    return status;
  }

  private static int sum(List<DeploymentRevision> sets, String field) {
    return sets.stream().mapToInt(one -> one.status().path(field).asInt()).sum();
  }

  /// Sets Available by the minimum that the strategy guarantees, not by the desired number.
  private static void available(WorkloadConditions conditions, boolean enough) {
    conditions.set(
        "Available",
        enough,
        enough ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable",
        enough
            ? "Deployment has minimum availability."
            : "Deployment does not have minimum availability.",
        false);
  }

  /// Updates the condition Progressing. Its `lastUpdateTime` is the start of the deadline, so that
  /// it changes with every progress and with nothing else.
  private static void progress(
      WorkloadConditions conditions,
      JsonNode deployment,
      ObjectNode status,
      Seen seen,
      Instant now) {
    String reason = conditions.find(PROGRESSING).path("reason").asText();
    if (!hasDeadline(deployment)) {
      conditions.remove(PROGRESSING);
    } else if (deployment.path("spec").path("paused").asBoolean()) {
      if (!reason.equals(PAUSED)) {
        unknown(conditions, PAUSED, "Deployment is paused");
      }
    } else if (reason.equals(PAUSED)) {
      unknown(conditions, "DeploymentResumed", "Deployment is resumed");
    } else if (seen.latest().isPresent()) {
      String name = "ReplicaSet \"%s\"".formatted(seen.latest().get().name());
      JsonNode before = deployment.path("status");
      if (seen.madeNow()) {
        conditions.set(
            PROGRESSING,
            true,
            "NewReplicaSetCreated",
            "Created new replica set \"%s\"".formatted(seen.latest().get().name()),
            true);
      } else if (isComplete(deployment, status)) {
        conditions.set(PROGRESSING, true, DONE, name + " has successfully progressed.", false);
      } else if (hasProgressed(before, status) || reason.isEmpty()) {
        conditions.set(PROGRESSING, true, "ReplicaSetUpdated", name + " is progressing.", true);
        // The rollout goes on after its deadline; only the condition says that it is late.
      } else if (isTimedOut(conditions, deployment, now)) {
        conditions.set(PROGRESSING, false, TIMED_OUT, name + " has timed out progressing.", false);
      }
    }
  }

  private static void unknown(WorkloadConditions conditions, String reason, String message) {
    conditions.set(PROGRESSING, true, reason, message, false);
    // Upstream has Unknown while a rollout is paused: its deadline does not run.
    ((ObjectNode) conditions.find(PROGRESSING)).put("status", "Unknown");
  }

  /// Copies the failure of a set to the Deployment; the latest set comes first.
  private static void failure(WorkloadConditions conditions, Seen seen) {
    conditions.remove("ReplicaFailure");
    for (DeploymentRevision one : seen.all().reversed()) {
      for (JsonNode condition : one.status().path("conditions")) {
        if (condition.path("type").asText().equals("ReplicaFailure")) {
          conditions.set(
              "ReplicaFailure",
              true,
              condition.path("reason").asText(),
              condition.path("message").asText(),
              false);
          return;
        }
      }
    }
  }

  /// Whether `kubectl rollout status` may report success: all pods are of the latest revision and
  /// available, and none is left of others.
  static boolean isComplete(JsonNode deployment, JsonNode status) {
    int wanted = deployment.path("spec").path("replicas").asInt(1);
    return status.path("updatedReplicas").asInt() == wanted
        && status.path("replicas").asInt() == wanted
        && status.path("availableReplicas").asInt() == wanted
        && status.path("observedGeneration").asLong()
            >= deployment.path("metadata").path("generation").asLong();
  }

  /// Whether this step is progress by upstream's rule: fewer old pods, or more updated, ready or
  /// available ones. Progress restarts the deadline.
  private static boolean hasProgressed(JsonNode before, JsonNode now) {
    int oldBefore = before.path("replicas").asInt() - before.path("updatedReplicas").asInt();
    int oldNow = now.path("replicas").asInt() - now.path("updatedReplicas").asInt();
    return oldNow < oldBefore
        || more(before, now, "updatedReplicas")
        || more(before, now, "readyReplicas")
        || more(before, now, "availableReplicas");
  }

  private static boolean more(JsonNode before, JsonNode now, String field) {
    return now.path(field).asInt() > before.path(field).asInt();
  }

  /// Whether the rollout has a deadline; the largest int means none.
  private static boolean hasDeadline(JsonNode deployment) {
    JsonNode seconds = deployment.path("spec").path("progressDeadlineSeconds");
    return seconds.asLong(Integer.MAX_VALUE) != Integer.MAX_VALUE;
  }

  private static boolean isTimedOut(
      WorkloadConditions conditions, JsonNode deployment, Instant now) {
    return deadline(deployment, conditions.find(PROGRESSING))
        .filter(end -> end.isBefore(now))
        .isPresent();
  }

  /// The progress deadline; empty when the rollout is complete or has no deadline.
  static Optional<Instant> deadlineOf(JsonNode deployment, JsonNode status) {
    for (JsonNode condition : status.path("conditions")) {
      if (condition.path("type").asText().equals(PROGRESSING)) {
        return deadline(deployment, condition);
      }
    }
    return Optional.empty();
  }

  private static Optional<Instant> deadline(JsonNode deployment, JsonNode progressing) {
    String reason = progressing.path("reason").asText();
    String updated = progressing.path("lastUpdateTime").asText("");
    if (!hasDeadline(deployment)
        || updated.isEmpty()
        || reason.equals(DONE)
        || reason.equals(PAUSED)
        || reason.equals(TIMED_OUT)) {
      return Optional.empty();
    }
    long seconds = deployment.path("spec").path("progressDeadlineSeconds").asLong();
    return Optional.of(Instant.parse(updated).plus(Duration.ofSeconds(seconds)));
  }
}
