package dev.berth.server.validation.workloads;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.GoComposites;
import dev.berth.server.validation.fields.CommonChecks;
import dev.berth.server.validation.fields.LabelSelectorRules;
import dev.berth.server.validation.pods.PodTemplateValidation;
import java.util.List;
import java.util.function.Consumer;

/// The rules that all workloads share.
///
/// The selector is immutable, because a changed selector would leave the old pods without an owner
/// and adopt others.
final class WorkloadRules {
  static final FieldPath SPEC = FieldPath.of("spec");
  private static final FieldPath SELECTOR = SPEC.child("selector");
  private static final FieldPath TEMPLATE = SPEC.child("template");

  private WorkloadRules() {}

  /// Checks a selector that must be present, well-formed and not empty.
  static void checkSelector(JsonNode spec, String whenEmpty, FieldErrors errors) {
    JsonNode selector = spec.path("selector");
    if (!selector.isObject()) {
      errors.required(SELECTOR, "");
      return;
    }
    LabelSelectorRules.check(selector, SELECTOR, errors);
    // An empty selector selects every pod of the namespace, and the workload would adopt them.
    if (LabelSelectorRules.isEmpty(selector)) {
      errors.invalidLiteral(SELECTOR, GoComposites.labelSelector(selector), whenEmpty);
    }
  }

  /// Reports a selector that cannot be used, in the words of the kind.
  static boolean isUsable(JsonNode spec, String whenNot, FieldErrors errors) {
    JsonNode selector = spec.path("selector");
    FieldErrors found = new FieldErrors();
    LabelSelectorRules.check(selector, SELECTOR, found);
    if (!found.isEmpty()) {
      errors.invalidLiteral(SELECTOR, GoComposites.labelSelector(selector), whenNot);
    }
    return found.isEmpty();
  }

  static void checkSelected(JsonNode spec, FieldErrors errors) {
    JsonNode labels = spec.path("template").path("metadata").path("labels");
    // The controller would not recognize the pods that it creates, and create more for ever.
    if (!LabelSelectorRules.matches(spec.path("selector"), labels)) {
      errors.invalidLiteral(
          TEMPLATE.child("metadata").child("labels"),
          GoComposites.stringMap(labels),
          "`selector` does not match template `labels`");
    }
  }

  static void checkTemplate(JsonNode spec, FieldErrors errors) {
    if (spec.path("template") instanceof ObjectNode template) {
      PodTemplateValidation.validate(template, TEMPLATE, errors);
    }
  }

  /// Adds the warnings about the template.
  static void warn(ObjectNode workload, Consumer<String> warnings) {
    if (workload.path("spec").path("template") instanceof ObjectNode template) {
      PodTemplateValidation.warn(template, TEMPLATE, warnings);
    }
  }

  /// Checks that pods restart always and have no deadline: their controller would replace an ended
  /// pod for ever.
  static void checkEndless(JsonNode spec, String kind, FieldErrors errors) {
    JsonNode pod = spec.path("template").path("spec");
    FieldPath path = TEMPLATE.child("spec");
    String restartPolicy = pod.path("restartPolicy").asText();
    if (!restartPolicy.equals("Always")) {
      errors.notSupportedInOrder(path.child("restartPolicy"), restartPolicy, List.of("Always"));
    }
    if (pod.hasNonNull("activeDeadlineSeconds")) {
      errors.forbidden(
          path.child("activeDeadlineSeconds"),
          "activeDeadlineSeconds in " + kind + " is not Supported");
    }
  }

  static void checkSelectorUnchanged(JsonNode object, JsonNode old, FieldErrors errors) {
    JsonNode selector = object.path("spec").path("selector");
    if (!selector.equals(old.path("spec").path("selector"))) {
      errors.invalidLiteral(SELECTOR, GoComposites.labelSelector(selector), CommonChecks.IMMUTABLE);
    }
  }

  /// Checks the counts of a status: none is above the total, and no more pods are available than
  /// ready.
  static void checkCounts(
      JsonNode status, String total, String readyText, FieldErrors errors, String... parts) {
    FieldPath path = FieldPath.of("status");
    long all = status.path(total).asLong();
    for (String part : parts) {
      long count = status.path(part).asLong();
      if (count > all) {
        errors.invalid(path.child(part), count, "cannot be greater than status." + total);
      }
    }
    long available = status.path("availableReplicas").asLong();
    if (available > status.path("readyReplicas").asLong()) {
      errors.invalid(
          path.child("availableReplicas"), available, "cannot be greater than " + readyText);
    }
  }

  static void checkCollisions(JsonNode object, JsonNode old, FieldErrors errors) {
    long count = object.path("status").path("collisionCount").asLong();
    // It is part of the hash in names: a smaller one would collide again.
    if (count < old.path("status").path("collisionCount").asLong()) {
      errors.invalid(
          FieldPath.of("status").child("collisionCount"), count, "cannot be decremented");
    }
  }
}
