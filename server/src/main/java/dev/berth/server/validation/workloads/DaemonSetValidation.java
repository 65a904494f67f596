package dev.berth.server.validation.workloads;

import static dev.berth.server.validation.workloads.WorkloadRules.SPEC;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.GoComposites;
import dev.berth.server.validation.KindValidator;
import dev.berth.server.validation.fields.CommonChecks;
import dev.berth.server.validation.fields.LabelSelectorRules;
import java.util.List;
import java.util.function.Consumer;

/// The rules of DaemonSet.
///
/// Upstream's `ValidateDaemonSet`; a surge of pods is KEP-1591.
public final class DaemonSetValidation implements KindValidator {
  @Override
  public void onCreate(ObjectNode daemonSet, FieldErrors errors) {
    JsonNode spec = daemonSet.path("spec");
    JsonNode selector = spec.path("selector");
    FieldPath path = SPEC.child("selector");
    LabelSelectorRules.check(selector, path, errors);
    WorkloadRules.checkSelected(spec, errors);
    if (selector.isObject() && LabelSelectorRules.isEmpty(selector)) {
      errors.invalidLiteral(
          path, GoComposites.labelSelector(selector), "empty selector is invalid for daemonset");
    }
    WorkloadRules.checkTemplate(spec, errors);
    WorkloadRules.checkEndless(spec, "DaemonSet", errors);
    CommonChecks.nonNegative(spec, SPEC, errors, "minReadySeconds");
    checkStrategy(spec.path("updateStrategy"), SPEC.child("updateStrategy"), errors);
    CommonChecks.nonNegative(spec, SPEC, errors, "revisionHistoryLimit");
  }

  private static void checkStrategy(JsonNode strategy, FieldPath path, FieldErrors errors) {
    JsonNode rolling = strategy.path("rollingUpdate");
    switch (strategy.path("type").asText()) {
      case "OnDelete" -> {}
      case "RollingUpdate" ->
          RolloutRules.checkDaemonSet(rolling, path.child("rollingUpdate"), errors);
      default ->
          CommonChecks.notSupportedLiteral(
              path,
              "apps.DaemonSetUpdateStrategy{Type:%s, RollingUpdate:(*apps.RollingUpdateDaemonSet)(nil)}"
                  .formatted(GoComposites.text(strategy, "type")),
              List.of("RollingUpdate", "OnDelete"),
              errors);
    }
  }

  @Override
  public void onUpdate(ObjectNode daemonSet, ObjectNode old, FieldErrors errors) {
    onCreate(daemonSet, errors);
    WorkloadRules.checkSelectorUnchanged(daemonSet, old, errors);
  }

  @Override
  public void onStatusUpdate(ObjectNode daemonSet, ObjectNode old, FieldErrors errors) {
    CommonChecks.nonNegative(
        daemonSet.path("status"),
        FieldPath.of("status"),
        errors,
        "currentNumberScheduled",
        "numberMisscheduled",
        "desiredNumberScheduled",
        "numberReady",
        "observedGeneration",
        "updatedNumberScheduled",
        "numberAvailable",
        "numberUnavailable",
        "collisionCount");
    WorkloadRules.checkCollisions(daemonSet, old, errors);
  }

  @Override
  public void warn(ObjectNode daemonSet, Consumer<String> warnings) {
    WorkloadRules.warn(daemonSet, warnings);
  }
}
