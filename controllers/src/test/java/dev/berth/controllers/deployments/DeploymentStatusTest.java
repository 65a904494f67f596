package dev.berth.controllers.deployments;

import static dev.berth.controllers.TestCluster.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.controllers.deployments.DeploymentStatus.Seen;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class DeploymentStatusTest {
  private static final Instant NOW = Instant.parse("2024-01-01T00:10:00Z");
  private static final RolloutStrategy STRATEGY = new RolloutStrategy(3, false, 1, 1);

  private final ObjectNode deployment =
      json(
          """
          {'metadata': {'generation': 2},
           'spec': {'replicas': 3, 'progressDeadlineSeconds': 60}, 'status': {}}
          """);

  private static DeploymentRevision set(String name, int replicas, int ready) {
    return DeploymentRevision.of(
        json(
            "{'metadata':{'name':'%s'},'spec':{'replicas':%d},'status':{'replicas':%d,'readyReplicas':%d,'availableReplicas':%d}}"
                .formatted(name, replicas, replicas, ready, ready)));
  }

  private ObjectNode status(Seen seen, Instant now) {
    ObjectNode status = DeploymentStatus.of(deployment, STRATEGY, seen, now);
    deployment.set("status", status);
    return status;
  }

  private static String condition(JsonNode status, String type) {
    for (JsonNode one : status.path("conditions")) {
      if (one.path("type").asText().equals(type)) {
        return one.path("status").asText()
            + " "
            + one.path("reason").asText()
            + ": "
            + one.path("message").asText();
      }
    }
    return "none";
  }

  private static Seen rollout(int updated, int ready, int old) {
    return new Seen(
        Optional.of(set("web-2", updated, ready)), List.of(set("web-1", old, old)), false);
  }

  @Test
  void numbersAreSumsOfTheSets() {
    ObjectNode status = status(rollout(2, 1, 2), NOW);

    status.remove("conditions");
    assertThat(status)
        .hasToString(
            "{\"observedGeneration\":2,\"replicas\":4,\"updatedReplicas\":2,\"readyReplicas\":3,"
                + "\"availableReplicas\":3,\"unavailableReplicas\":1}");
  }

  @Test
  void aRolloutIsToldFromItsBeginningToItsEnd() {
    Seen made = new Seen(Optional.of(set("web-2", 1, 0)), List.of(set("web-1", 3, 3)), true);
    assertThat(condition(status(made, NOW), "Progressing"))
        .isEqualTo("True NewReplicaSetCreated: Created new replica set \"web-2\"");
    assertThat(condition(status(rollout(1, 1, 3), NOW), "Progressing"))
        .isEqualTo("True ReplicaSetUpdated: ReplicaSet \"web-2\" is progressing.");
    assertThat(condition(status(rollout(3, 3, 0), NOW), "Progressing"))
        .isEqualTo(
            "True NewReplicaSetAvailable: ReplicaSet \"web-2\" has successfully progressed.");
    assertThat(DeploymentStatus.deadlineOf(deployment, deployment.get("status"))).isEmpty();
  }

  @Test
  void aRolloutThatDoesNotMoveTimesOut() {
    status(rollout(1, 0, 3), NOW);
    assertThat(DeploymentStatus.deadlineOf(deployment, deployment.get("status")))
        .contains(NOW.plusSeconds(60));

    status(rollout(1, 0, 3), NOW.plusSeconds(60));
    assertThat(condition(deployment.get("status"), "Progressing")).startsWith("True");
    status(rollout(1, 0, 3), NOW.plusSeconds(61));
    assertThat(condition(deployment.get("status"), "Progressing"))
        .isEqualTo(
            "False ProgressDeadlineExceeded: ReplicaSet \"web-2\" has timed out progressing.");
    status(rollout(1, 1, 3), NOW.plusSeconds(70));
    assertThat(condition(deployment.get("status"), "Progressing")).startsWith("True");
  }

  @Test
  void itIsAvailableWithTheFewestPodsThatItsBoundsAllow() {
    assertThat(condition(status(rollout(3, 2, 0), NOW), "Available"))
        .isEqualTo("True MinimumReplicasAvailable: Deployment has minimum availability.");
    assertThat(condition(status(rollout(3, 1, 0), NOW), "Available"))
        .isEqualTo(
            "False MinimumReplicasUnavailable: Deployment does not have minimum availability.");
  }

  @Test
  void aPausedDeploymentSaysSo() {
    deployment.withObject("/spec").put("paused", true);
    assertThat(condition(status(rollout(1, 1, 3), NOW), "Progressing"))
        .isEqualTo("Unknown DeploymentPaused: Deployment is paused");
    deployment.withObject("/spec").put("paused", false);
    assertThat(condition(status(rollout(1, 1, 3), NOW), "Progressing"))
        .isEqualTo("Unknown DeploymentResumed: Deployment is resumed");
  }

  @Test
  void aStatusThatChangesNothingStaysTheSame() {
    ObjectNode first = status(rollout(3, 3, 0), NOW).deepCopy();

    assertThat(status(rollout(3, 3, 0), NOW.plusSeconds(100))).isEqualTo(first);
  }
}
