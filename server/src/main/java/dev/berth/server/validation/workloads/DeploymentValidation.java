package dev.berth.server.validation.workloads;

import static dev.berth.server.validation.workloads.WorkloadRules.SPEC;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.GoComposites;
import dev.berth.server.validation.KindValidator;
import dev.berth.server.validation.fields.CommonChecks;
import java.util.List;
import java.util.function.Consumer;

/// The rules of Deployment.
///
/// Upstream's `ValidateDeployment`.
public final class DeploymentValidation implements KindValidator {
  @Override
  public void onCreate(ObjectNode deployment, FieldErrors errors) {
    JsonNode spec = deployment.path("spec");
    CommonChecks.nonNegative(spec, SPEC, errors, "replicas");
    ReplicaSetValidation.checkPods(spec, errors);
    checkStrategy(spec.path("strategy"), SPEC.child("strategy"), errors);
    CommonChecks.nonNegative(
        spec, SPEC, errors, "minReadySeconds", "revisionHistoryLimit", "progressDeadlineSeconds");
    JsonNode deadline = spec.path("progressDeadlineSeconds");
    // Pods count as available only after `minReadySeconds`: no rollout could make progress in time.
    if (deadline.isNumber() && deadline.asLong() <= spec.path("minReadySeconds").asLong()) {
      errors.invalid(
          SPEC.child("progressDeadlineSeconds"),
          deadline.asLong(),
          "must be greater than minReadySeconds");
    }
  }

  private static void checkStrategy(JsonNode strategy, FieldPath path, FieldErrors errors) {
    JsonNode rolling = strategy.path("rollingUpdate");
    switch (strategy.path("type").asText()) {
      case "Recreate" -> {
        if (rolling.isObject()) {
          errors.forbidden(
              path.child("rollingUpdate"),
              "may not be specified when strategy `type` is 'Recreate'");
        }
      }
      case "RollingUpdate" ->
          RolloutRules.checkDeployment(rolling, path.child("rollingUpdate"), errors);
      default ->
          CommonChecks.notSupportedLiteral(
              path,
              "apps.DeploymentStrategy{Type:%s, RollingUpdate:(*apps.RollingUpdateDeployment)(nil)}"
                  .formatted(GoComposites.text(strategy, "type")),
              List.of("Recreate", "RollingUpdate"),
              errors);
    }
  }

  @Override
  public void onUpdate(ObjectNode deployment, ObjectNode old, FieldErrors errors) {
    onCreate(deployment, errors);
    WorkloadRules.checkSelectorUnchanged(deployment, old, errors);
  }

  @Override
  public void onStatusUpdate(ObjectNode deployment, ObjectNode old, FieldErrors errors) {
    JsonNode status = deployment.path("status");
    CommonChecks.nonNegative(
        status,
        FieldPath.of("status"),
        errors,
        "observedGeneration",
        "replicas",
        "updatedReplicas",
        "readyReplicas",
        "availableReplicas",
        "unavailableReplicas",
        "collisionCount");
    WorkloadRules.checkCounts(
        status,
        "replicas",
        "readyReplicas",
        errors,
        "updatedReplicas",
        "readyReplicas",
        "availableReplicas");
    WorkloadRules.checkCollisions(deployment, old, errors);
  }

  @Override
  public void warn(ObjectNode deployment, Consumer<String> warnings) {
    WorkloadRules.warn(deployment, warnings);
  }
}
