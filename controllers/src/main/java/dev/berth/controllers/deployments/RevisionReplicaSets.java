package dev.berth.controllers.deployments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiException;
import dev.berth.client.DeleteOptions;
import dev.berth.client.ResourceClient;
import dev.berth.client.ResourceType;
import dev.berth.controllers.loops.ControllerContext;
import dev.berth.controllers.loops.ControllerEvents;
import dev.berth.controllers.workloads.ObjectIdentity;
import dev.berth.controllers.workloads.WorkloadOwner;
import java.util.List;

/// Creates, scales and deletes the ReplicaSets of Deployments.
///
/// Writes have the cached resourceVersion as their precondition; with a stale cache the server
/// answers with a conflict and the loop retries. Names are computed from templates, so that no set
/// is created twice.
final class RevisionReplicaSets {
  private final ResourceClient<ObjectNode> sets;
  private final ResourceClient<ObjectNode> deployments;
  private final ControllerEvents recorder;

  RevisionReplicaSets(ControllerContext context, ControllerEvents recorder) {
    this.sets = context.client().json(ResourceType.REPLICA_SETS);
    this.deployments = context.client().json(ResourceType.DEPLOYMENTS);
    this.recorder = recorder;
  }

  /// Creates the set of the current template, with as many replicas as the surge allows at once.
  DeploymentRevision create(
      WorkloadOwner deployment, RolloutStrategy strategy, List<DeploymentRevision> old) {
    ObjectNode made = RevisionTemplates.make(deployment);
    int replicas = DeploymentRollout.first(strategy, old);
    ObjectNode wanted =
        RevisionTemplates.scaled(
            RevisionTemplates.updated(deployment.tree(), made, old), replicas, strategy);
    try {
      DeploymentRevision created = DeploymentRevision.of(sets.create(wanted));
      if (replicas > 0) {
        recordScaling(deployment, created.name(), 0, replicas);
      }
      return created;
    } catch (ApiException e) {
      if (!e.isAlreadyExists()) {
        recorder.warning(
            deployment.tree(),
            "ReplicaSetCreateError",
            "Failed to create new replica set \"%s\": %s"
                .formatted(wanted.at("/metadata/name").asText(), e.getMessage()));
        throw e;
      }
      return existing(deployment, made, e);
    }
  }

  /// If the existing set belongs to the Deployment, it was created before and is not in the cache
  /// yet. Otherwise its name collides, and the template needs another one.
  private DeploymentRevision existing(
      WorkloadOwner deployment, ObjectNode made, ApiException refusal) {
    ObjectNode there = sets.get(sets.codec().key(made));
    boolean isOurs = ObjectIdentity.of(there).controllerUid().equals(deployment.uid());
    JsonNode template = deployment.tree().path("spec").path("template");
    if (isOurs
        && RevisionTemplates.withoutHash(there.path("spec").path("template")).equals(template)) {
      return DeploymentRevision.of(there);
    }
    ObjectNode next = deployment.tree().deepCopy();
    ObjectNode status = next.withObject("/status");
    status.put("collisionCount", status.path("collisionCount").asInt() + 1);
    deployments.update(next, "status");
    throw refusal;
  }

  /// Updates revision number, annotations and `minReadySeconds` of the latest set.
  DeploymentRevision refresh(
      WorkloadOwner deployment, DeploymentRevision latest, List<DeploymentRevision> old) {
    ObjectNode next = RevisionTemplates.updated(deployment.tree(), latest.set(), old);
    return next.equals(latest.set()) ? latest : DeploymentRevision.of(sets.update(next));
  }

  /// Changes the number of replicas; without a change nothing is written.
  DeploymentRevision scale(
      WorkloadOwner deployment, DeploymentRevision one, int replicas, RolloutStrategy strategy) {
    ObjectNode next = RevisionTemplates.scaled(one.set(), replicas, strategy);
    if (next.equals(one.set())) {
      return one;
    }
    DeploymentRevision scaled = DeploymentRevision.of(sets.update(next));
    if (replicas != one.replicas()) {
      recordScaling(deployment, one.name(), one.replicas(), replicas);
    }
    return scaled;
  }

  private void recordScaling(WorkloadOwner deployment, String set, int from, int to) {
    recorder.normal(
        deployment.tree(),
        "ScalingReplicaSet",
        "Scaled %s replica set %s from %d to %d"
            .formatted(to > from ? "up" : "down", set, from, to));
  }

  /// Deletes an old set by its UID; one that is gone already is no failure.
  void delete(DeploymentRevision one) {
    try {
      sets.delete(
          sets.codec().key(one.set()),
          DeleteOptions.ofUid(one.set().path("metadata").path("uid").asText()));
    } catch (ApiException e) {
      if (!e.isNotFound()) {
        throw e;
      }
    }
  }
}
