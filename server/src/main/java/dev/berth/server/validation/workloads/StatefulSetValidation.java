package dev.berth.server.validation.workloads;

import static dev.berth.server.validation.workloads.WorkloadRules.SPEC;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.GoComposites;
import dev.berth.server.validation.KindValidator;
import dev.berth.server.validation.fields.CommonChecks;
import dev.berth.server.validation.fields.MetadataRules;
import dev.berth.server.validation.fields.PodFields;
import java.util.List;
import java.util.function.Consumer;

/// The rules of StatefulSet; its pod template is not checked in depth, because its claims make
/// volumes that the template does not name.
public final class StatefulSetValidation implements KindValidator {
  // Ordinals are KEP-3335, retention of claims is KEP-1847, `minReadySeconds` KEP-2599.
  private static final List<String> MUTABLE =
      List.of(
          "replicas",
          "ordinals",
          "template",
          "updateStrategy",
          "persistentVolumeClaimRetentionPolicy",
          "minReadySeconds");
  private static final List<String> RETENTION = List.of("Retain", "Delete");

  @Override
  public void onCreate(ObjectNode statefulSet, FieldErrors errors) {
    JsonNode spec = statefulSet.path("spec");
    checkPolicies(spec, errors);
    CommonChecks.nonNegative(spec, SPEC, errors, "replicas", "minReadySeconds");
    CommonChecks.nonNegative(spec.path("ordinals"), SPEC.child("ordinals"), errors, "start");
    WorkloadRules.checkSelector(spec, "empty selector is invalid for statefulset", errors);
    if (WorkloadRules.isUsable(spec, "", errors)) {
      WorkloadRules.checkSelected(spec, errors);
      JsonNode metadata = spec.path("template").path("metadata");
      FieldPath template = SPEC.child("template");
      PodFields.labels(metadata.path("labels"), template.child("labels"), errors);
      MetadataRules.checkAnnotations(
          metadata.path("annotations"), template.child("annotations"), errors);
    }
    WorkloadRules.checkEndless(spec, "StatefulSet", errors);
  }

  private static void checkPolicies(JsonNode spec, FieldErrors errors) {
    String management = spec.path("podManagementPolicy").asText();
    if (!management.equals("OrderedReady") && !management.equals("Parallel")) {
      errors.invalid(
          SPEC.child("podManagementPolicy"), management, "must be 'OrderedReady' or 'Parallel'");
    }
    JsonNode strategy = spec.path("updateStrategy");
    FieldPath path = SPEC.child("updateStrategy");
    JsonNode rolling = strategy.path("rollingUpdate");
    switch (strategy.path("type").asText()) {
      case "OnDelete" -> {
        if (rolling.isObject()) {
          errors.invalid(
              path.child("rollingUpdate"),
              rolling,
              "only allowed for updateStrategy 'RollingUpdate'");
        }
      }
      case "RollingUpdate" ->
          CommonChecks.nonNegative(rolling, path.child("rollingUpdate"), errors, "partition");
      default ->
          errors.invalidLiteral(
              path,
              ("apps.StatefulSetUpdateStrategy{Type:%s,"
                      + " RollingUpdate:(*apps.RollingUpdateStatefulSetStrategy)(nil)}")
                  .formatted(GoComposites.text(strategy, "type")),
              "must be 'RollingUpdate' or 'OnDelete'");
    }
    checkRetention(spec.path("persistentVolumeClaimRetentionPolicy"), errors);
  }

  private static void checkRetention(JsonNode policy, FieldErrors errors) {
    FieldPath path = SPEC.child("persistentVolumeClaimRetentionPolicy");
    for (String field : new String[] {"whenDeleted", "whenScaled"}) {
      String value = policy.path(field).asText();
      if (policy.isObject() && !RETENTION.contains(value)) {
        errors.notSupportedInOrder(path.child(field), value, RETENTION);
      }
    }
  }

  @Override
  public void onUpdate(ObjectNode statefulSet, ObjectNode old, FieldErrors errors) {
    onCreate(statefulSet, errors);
    if (!frozen(statefulSet).equals(frozen(old))) {
      errors.forbidden(
          SPEC,
          "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template',"
              + " 'updateStrategy', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are"
              + " forbidden");
    }
  }

  private static JsonNode frozen(ObjectNode statefulSet) {
    JsonNode spec = statefulSet.path("spec");
    return spec instanceof ObjectNode object ? object.deepCopy().remove(MUTABLE) : spec;
  }

  @Override
  public void onStatusUpdate(ObjectNode statefulSet, ObjectNode old, FieldErrors errors) {
    JsonNode status = statefulSet.path("status");
    CommonChecks.nonNegative(
        status,
        FieldPath.of("status"),
        errors,
        "replicas",
        "readyReplicas",
        "currentReplicas",
        "updatedReplicas",
        "availableReplicas",
        "observedGeneration",
        "collisionCount");
    WorkloadRules.checkCounts(
        status,
        "replicas",
        "status.readyReplicas",
        errors,
        "readyReplicas",
        "currentReplicas",
        "updatedReplicas",
        "availableReplicas");
    WorkloadRules.checkCollisions(statefulSet, old, errors);
  }

  @Override
  public void warn(ObjectNode statefulSet, Consumer<String> warnings) {
    WorkloadRules.warn(statefulSet, warnings);
  }
}
