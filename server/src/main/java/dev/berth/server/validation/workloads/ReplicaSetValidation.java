package dev.berth.server.validation.workloads;

import static dev.berth.server.validation.workloads.WorkloadRules.SPEC;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.KindValidator;
import dev.berth.server.validation.fields.CommonChecks;
import java.util.function.Consumer;

/// The rules of ReplicaSet.
///
/// Upstream's `ValidateReplicaSet`.
public final class ReplicaSetValidation implements KindValidator {
  @Override
  public void onCreate(ObjectNode replicaSet, FieldErrors errors) {
    JsonNode spec = replicaSet.path("spec");
    CommonChecks.nonNegative(spec, SPEC, errors, "replicas", "minReadySeconds");
    checkPods(spec, errors);
  }

  /// Selector and template, as deployments and replica sets share them.
  static void checkPods(JsonNode spec, FieldErrors errors) {
    // The same words for both kinds, as upstream has them.
    WorkloadRules.checkSelector(spec, "empty selector is invalid for deployment", errors);
    if (WorkloadRules.isUsable(spec, "invalid label selector", errors)) {
      WorkloadRules.checkSelected(spec, errors);
      WorkloadRules.checkTemplate(spec, errors);
      WorkloadRules.checkEndless(spec, "ReplicaSet", errors);
    }
  }

  @Override
  public void onUpdate(ObjectNode replicaSet, ObjectNode old, FieldErrors errors) {
    onCreate(replicaSet, errors);
    WorkloadRules.checkSelectorUnchanged(replicaSet, old, errors);
  }

  @Override
  public void onStatusUpdate(ObjectNode replicaSet, ObjectNode old, FieldErrors errors) {
    JsonNode status = replicaSet.path("status");
    CommonChecks.nonNegative(
        status,
        FieldPath.of("status"),
        errors,
        "replicas",
        "fullyLabeledReplicas",
        "readyReplicas",
        "availableReplicas",
        "observedGeneration");
    WorkloadRules.checkCounts(
        status,
        "replicas",
        "readyReplicas",
        errors,
        "fullyLabeledReplicas",
        "readyReplicas",
        "availableReplicas");
  }

  @Override
  public void warn(ObjectNode replicaSet, Consumer<String> warnings) {
    WorkloadRules.warn(replicaSet, warnings);
  }
}
