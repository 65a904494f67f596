package dev.berth.controllers.deployments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;

/// A ReplicaSet of a Deployment, as far as rollouts are decided by it.
///
/// @param number of the revision; zero when it has none yet
/// @param wantedThen how many replicas the Deployment wanted when this set was scaled last; -1 when
///   that is not known
/// @param available how many pods can be counted on: never more than it is to have
record DeploymentRevision(
    ObjectNode set, String name, long number, int replicas, int available, int wantedThen) {
  static final String NUMBER = "deployment.kubernetes.io/revision";
  static final String WANTED = "deployment.kubernetes.io/desired-replicas";
  static final String MOST = "deployment.kubernetes.io/max-replicas";

  static DeploymentRevision of(ObjectNode set) {
    int replicas = set.path("spec").path("replicas").asInt(1);
    return new DeploymentRevision(
        set,
        set.path("metadata").path("name").asText(),
        numberOf(set),
        replicas,
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

  /// The most pods that the Deployment might have when this set was scaled last.
  int mostThen() {
    return set.path("metadata").path("annotations").path(MOST).asInt(0);
  }
}
