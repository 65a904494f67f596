package dev.berth.server.validation.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.fields.LabelSelectorRules;
import dev.berth.server.validation.fields.NameRules;
import dev.berth.server.validation.fields.PodFields;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// The rules of affinity to nodes and to other pods.
///
/// Only the form is checked; whether any node fits is the scheduler's question.
///
/// Upstream's `validateAffinity`. `namespaceSelector` is KEP-2249, `matchLabelKeys` KEP-3633.
final class AffinityRules {
  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
  private static final int MAX_WEIGHT = 100;

  private final FieldErrors errors;

  AffinityRules(FieldErrors errors) {
    this.errors = errors;
  }

  void validate(JsonNode affinity, FieldPath path) {
    if (affinity.get("nodeAffinity") instanceof ObjectNode nodes) {
      nodes(nodes, path.child("nodeAffinity"));
    }
    if (affinity.get("podAffinity") instanceof ObjectNode pods) {
      pods(pods, path.child("podAffinity"));
    }
    if (affinity.get("podAntiAffinity") instanceof ObjectNode pods) {
      pods(pods, path.child("podAntiAffinity"));
    }
  }

  private void nodes(JsonNode nodes, FieldPath path) {
    if (nodes.get(REQUIRED) instanceof ObjectNode selector) {
      JsonNode terms = selector.path("nodeSelectorTerms");
      FieldPath at = path.child(REQUIRED).child("nodeSelectorTerms");
      if (terms.isEmpty()) {
        errors.required(at, "must have at least one node selector term");
      }
      for (int i = 0; i < terms.size(); i++) {
        nodeTerm(terms.get(i), true, at.index(i));
      }
    }
    JsonNode preferred = nodes.path(PREFERRED);
    for (int i = 0; i < preferred.size(); i++) {
      FieldPath at = path.child(PREFERRED).index(i);
      weight(preferred.get(i), at);
      nodeTerm(preferred.get(i).path("preference"), false, at.child("preference"));
    }
  }

  private void weight(JsonNode weighted, FieldPath at) {
    long weight = PodFields.number(weighted, "weight");
    if (weight <= 0 || weight > MAX_WEIGHT) {
      errors.invalid(at.child("weight"), weight, "must be in the range 1-100");
    }
  }

  /// Checks a term. Wrong values in preferences only cause warnings, because they were always
  /// accepted.
  private void nodeTerm(JsonNode term, boolean checkValues, FieldPath path) {
    JsonNode expressions = term.path("matchExpressions");
    for (int i = 0; i < expressions.size(); i++) {
      expression(expressions.get(i), checkValues, path.child("matchExpressions").index(i));
    }
    JsonNode fields = term.path("matchFields");
    for (int i = 0; i < fields.size(); i++) {
      field(fields.get(i), path.child("matchFields").index(i));
    }
  }

  private void expression(JsonNode requirement, boolean checkValues, FieldPath path) {
    String operator = PodFields.text(requirement, "operator");
    JsonNode values = requirement.path("values");
    if (operator.equals("Gt") || operator.equals("Lt")) {
      if (values.size() != 1) {
        errors.required(
            path.child("values"), "must be specified single value when `operator` is 'Lt' or 'Gt'");
      }
    } else {
      LabelSelectorRules.checkOperator(operator, values, path, errors);
    }
    String key = PodFields.text(requirement, "key");
    errors.invalid(path.child("key"), key, NameRules.qualifiedName(key));
    for (int i = 0; checkValues && i < values.size(); i++) {
      String value = values.get(i).asText();
      errors.invalid(path.child("values").index(i), value, NameRules.labelValue(value));
    }
  }

  private void field(JsonNode requirement, FieldPath path) {
    String operator = PodFields.text(requirement, "operator");
    JsonNode values = requirement.path("values");
    if (!operator.equals("In") && !operator.equals("NotIn")) {
      errors.invalid(path.child("operator"), operator, "not a valid selector operator");
    } else if (values.size() != 1) {
      errors.required(
          path.child("values"),
          "must be only one value when `operator` is 'In' or 'NotIn' for node field selector");
    }
    String key = PodFields.text(requirement, "key");
    // The only field of a node that the scheduler can select by.
    if (!key.equals("metadata.name")) {
      errors.invalid(path.child("key"), key, "not a valid field selector key");
      return;
    }
    for (int i = 0; i < values.size(); i++) {
      String value = values.get(i).asText();
      errors.invalid(path.child("values").index(i), value, NameRules.dns1123Subdomain(value));
    }
  }

  private void pods(JsonNode pods, FieldPath path) {
    JsonNode required = pods.path(REQUIRED);
    for (int i = 0; i < required.size(); i++) {
      podTerm(required.get(i), path.child(REQUIRED).index(i));
    }
    JsonNode preferred = pods.path(PREFERRED);
    for (int i = 0; i < preferred.size(); i++) {
      FieldPath at = path.child(PREFERRED).index(i);
      weight(preferred.get(i), at);
      podTerm(preferred.get(i).path("podAffinityTerm"), at.child("podAffinityTerm"));
    }
  }

  private void podTerm(JsonNode term, FieldPath path) {
    LabelSelectorRules.check(term.path("labelSelector"), path.child("labelSelector"), errors);
    LabelSelectorRules.check(
        term.path("namespaceSelector"), path.child("namespaceSelector"), errors);
    for (JsonNode namespace : term.path("namespaces")) {
      String name = namespace.asText();
      errors.invalid(path.child("namespace"), name, NameRules.dns1123Label(name));
    }
    labelKeys(term, path);
    String key = PodFields.text(term, "topologyKey");
    if (key.isEmpty()) {
      errors.required(path.child("topologyKey"), "can not be empty");
    }
    errors.invalid(path.child("topologyKey"), key, NameRules.qualifiedName(key));
  }

  private void labelKeys(JsonNode term, FieldPath path) {
    JsonNode matching = term.path("matchLabelKeys");
    JsonNode selector = term.path("labelSelector");
    keyNames(matching, selector, path.child("matchLabelKeys"));
    keyNames(term.path("mismatchLabelKeys"), selector, path.child("mismatchLabelKeys"));
    selectedTwice(matching, selector, path);
    for (int i = 0; i < matching.size(); i++) {
      String key = matching.get(i).asText();
      if (PodFields.isInList(term.path("mismatchLabelKeys"), key)) {
        errors.invalid(
            path.child("matchLabelKeys").index(i),
            key,
            "exists in both matchLabelKeys and mismatchLabelKeys");
      }
    }
  }

  private void keyNames(JsonNode keys, JsonNode selector, FieldPath path) {
    if (!keys.isEmpty() && !selector.isObject()) {
      errors.forbidden(path, "must not be specified when labelSelector is not set");
      return;
    }
    for (int i = 0; i < keys.size(); i++) {
      String key = keys.get(i).asText();
      errors.invalid(path.index(i), key, NameRules.qualifiedName(key));
    }
  }

  /// The server has put one requirement per key into the selector; any other one is the user's.
  ///
  /// `PodCreation` adds these requirements before validation.
  private void selectedTwice(JsonNode keys, JsonNode selector, FieldPath path) {
    Map<String, Integer> places = new HashMap<>();
    for (int i = 0; i < keys.size(); i++) {
      places.put(keys.get(i).asText(), i);
    }
    Set<String> selected = new HashSet<>();
    selector.path("matchLabels").fieldNames().forEachRemaining(selected::add);
    for (JsonNode expression : selector.path("matchExpressions")) {
      String key = PodFields.text(expression, "key");
      Integer place = places.get(key);
      if (!selected.add(key) && place != null) {
        errors.invalid(path.index(place), key, "exists in both matchLabelKeys and labelSelector");
      }
    }
  }
}
