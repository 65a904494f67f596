package dev.berth.controllers.deployments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;

/// The fields of a Deployment's ReplicaSet that decide about rollouts.
///
/// @param number of the revision; zero when it has none yet
/// @param wantedThen the Deployment's desired number when this set was last scaled; -1 when unknown
/// @param available the number of available pods, at most the desired number
record DeploymentRevision(
    ObjectNode set, String name, long number, int replicas, int available, int wantedThen) {
  static final String NUMBER = "deployment.kubernetes.io/revision";

  /// Annotations with the numbers of the last scaling; a proportional scaling needs both.
  static final String WANTED = "deployment.kubernetes.io/desired-replicas";

  static final String MOST = "deployment.kubernetes.io/max-replicas";

  static DeploymentRevision of(ObjectNode set) {
    int replicas = set.path("spec").path("replicas").asInt(1);
    return new DeploymentRevision(
        set,
        set.path("metadata").path("name").asText(),
        numberOf(set),
        replicas,
        // After a scale-down the status still counts pods that are about to be deleted.
        Math.min(replicas, set.path("status").path("availableReplicas").asInt()),
        set.path("metadata").path("annotations").path(WANTED).asInt(-1));
  }

  static long numberOf(JsonNode object) {
    return object.path("metadata").path("annotations").path(NUMBER).asLong();
  }

  boolean isActive() {
    return replicas > 0;
  }

  JsonNode status() {
    return set.path("status");
  }

  Instant created() {
    String text = set.path("metadata").path("creationTimestamp").asText("");
    return text.isEmpty() ? Instant.EPOCH : Instant.parse(text);
  }

  /// The Deployment's maximum number of pods when this set was last scaled.
  int mostThen() {
    return set.path("metadata").path("annotations").path(MOST).asInt(0);
  }
}
