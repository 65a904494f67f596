package dev.berth.server.validation.pods;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.fields.LabelSelectorRules;
import dev.berth.server.validation.fields.NameRules;
import dev.berth.server.validation.fields.PodFields;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The rules of topology spread constraints.
///
/// The pair of topology key and action identifies a constraint, so it must be unique.
///
/// Upstream's `validateTopologySpreadConstraints`: `minDomains` is KEP-3022, the two node policies
/// are KEP-3094, `matchLabelKeys` is KEP-3243.
final class PodTopologyRules {
  private static final List<String> ACTIONS = List.of("DoNotSchedule", "ScheduleAnyway");
  private static final List<String> NODE_POLICIES = List.of("Honor", "Ignore");
  private static final String POSITIVE = "must be greater than zero";

  private PodTopologyRules() {}

  static void validate(JsonNode constraints, FieldPath path, FieldErrors errors) {
    for (int i = 0; i < constraints.size(); i++) {
      JsonNode constraint = constraints.get(i);
      FieldPath at = path.index(i);
      long skew = PodFields.number(constraint, "maxSkew");
      if (skew <= 0) {
        errors.invalid(at.child("maxSkew"), skew, POSITIVE);
      }
      if (PodFields.text(constraint, "topologyKey").isEmpty()) {
        errors.required(at.child("topologyKey"), "can not be empty");
      }
      String action = PodFields.text(constraint, "whenUnsatisfiable");
      if (!ACTIONS.contains(action)) {
        errors.notSupportedInOrder(at.child("whenUnsatisfiable"), action, ACTIONS);
      }
      repeated(constraints, i, at, errors);
      minDomains(constraint, action, at, errors);
      nodePolicy(constraint, "nodeAffinityPolicy", at, errors);
      nodePolicy(constraint, "nodeTaintsPolicy", at, errors);
      labelKeys(constraint, at.child("matchLabelKeys"), errors);
      LabelSelectorRules.check(constraint.path("labelSelector"), at.child("labelSelector"), errors);
    }
  }

  private static void repeated(JsonNode constraints, int i, FieldPath at, FieldErrors errors) {
    String key = PodFields.text(constraints.get(i), "topologyKey");
    String action = PodFields.text(constraints.get(i), "whenUnsatisfiable");
    for (int j = i + 1; j < constraints.size(); j++) {
      if (key.equals(PodFields.text(constraints.get(j), "topologyKey"))
          && action.equals(PodFields.text(constraints.get(j), "whenUnsatisfiable"))) {
        errors.duplicate(
            at.child("{topologyKey, whenUnsatisfiable}"), "{" + key + ", " + action + "}");
        return;
      }
    }
  }

  private static void minDomains(
      JsonNode constraint, String action, FieldPath at, FieldErrors errors) {
    if (!PodFields.has(constraint, "minDomains")) {
      return;
    }
    long domains = PodFields.number(constraint, "minDomains");
    if (domains <= 0) {
      errors.invalid(at.child("minDomains"), domains, POSITIVE);
    }
    // A minimum of domains only has a meaning where too few of them keep the pod waiting.
    if (!action.equals("DoNotSchedule")) {
      errors.invalid(
          at.child("minDomains"),
          domains,
          "can only use minDomains if whenUnsatisfiable=DoNotSchedule, not " + action);
    }
  }

  private static void nodePolicy(
      JsonNode constraint, String field, FieldPath at, FieldErrors errors) {
    String policy = PodFields.text(constraint, field);
    if (PodFields.has(constraint, field) && !NODE_POLICIES.contains(policy)) {
      errors.notSupportedInOrder(at.child(field), policy, NODE_POLICIES);
    }
  }

  private static void labelKeys(JsonNode constraint, FieldPath path, FieldErrors errors) {
    JsonNode keys = constraint.path("matchLabelKeys");
    if (keys.isEmpty()) {
      return;
    }
    JsonNode selector = constraint.path("labelSelector");
    if (!selector.isObject()) {
      errors.forbidden(path, "must not be specified when labelSelector is not set");
    }
    Set<String> selected = new HashSet<>();
    selector.path("matchLabels").fieldNames().forEachRemaining(selected::add);
    selector
        .path("matchExpressions")
        .forEach(expression -> selected.add(PodFields.text(expression, "key")));
    for (int i = 0; i < keys.size(); i++) {
      String key = keys.get(i).asText();
      errors.invalid(path.index(i), key, NameRules.qualifiedName(key));
      if (selected.contains(key)) {
        errors.invalid(path.index(i), key, "exists in both matchLabelKeys and labelSelector");
      }
    }
  }
}
