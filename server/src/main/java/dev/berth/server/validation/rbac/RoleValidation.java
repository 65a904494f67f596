package dev.berth.server.validation.rbac;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.GoComposites;
import dev.berth.server.validation.KindValidator;
import dev.berth.server.validation.fields.LabelSelectorRules;

/// The rules of Role and ClusterRole.
///
/// A rule is either about resources or about paths; paths belong to no namespace.
public final class RoleValidation implements KindValidator {
  private final boolean namespaced;

  public RoleValidation(boolean namespaced) {
    this.namespaced = namespaced;
  }

  @Override
  public void onCreate(ObjectNode role, FieldErrors errors) {
    checkAggregation(role, errors);
    int i = 0;
    for (JsonNode rule : role.path("rules")) {
      checkRule(rule, FieldPath.of("rules").index(i++), errors);
    }
  }

  private static void checkAggregation(ObjectNode role, FieldErrors errors) {
    if (!role.hasNonNull("aggregationRule")) {
      return;
    }
    FieldPath path = FieldPath.of("aggregationRule").child("clusterRoleSelectors");
    JsonNode selectors = role.path("aggregationRule").path("clusterRoleSelectors");
    if (selectors.isEmpty()) {
      errors.required(
          path, "at least one clusterRoleSelector required if aggregationRule is non-nil");
    }
    for (int i = 0; i < selectors.size(); i++) {
      LabelSelectorRules.check(selectors.get(i), path.index(i), errors);
    }
  }

  private void checkRule(JsonNode rule, FieldPath path, FieldErrors errors) {
    if (rule.path("verbs").isEmpty()) {
      errors.required(path.child("verbs"), "verbs must contain at least one value");
    }
    // Verbs of both sorts have different meanings, so that one rule must not have both.
    if (!rule.path("nonResourceURLs").isEmpty()) {
      checkUrls(rule, path.child("nonResourceURLs"), errors);
      return;
    }
    if (rule.path("apiGroups").isEmpty()) {
      errors.required(path.child("apiGroups"), "resource rules must supply at least one api group");
    }
    if (rule.path("resources").isEmpty()) {
      errors.required(path.child("resources"), "resource rules must supply at least one resource");
    }
  }

  private void checkUrls(JsonNode rule, FieldPath path, FieldErrors errors) {
    String urls = GoComposites.stringList(rule.path("nonResourceURLs"));
    if (namespaced) {
      errors.invalidLiteral(path, urls, "namespaced rules cannot apply to non-resource URLs");
    }
    if (!rule.path("apiGroups").isEmpty()
        || !rule.path("resources").isEmpty()
        || !rule.path("resourceNames").isEmpty()) {
      errors.invalidLiteral(
          path, urls, "rules cannot apply to both regular resources and non-resource URLs");
    }
  }

  @Override
  public void onUpdate(ObjectNode role, ObjectNode old, FieldErrors errors) {
    onCreate(role, errors);
  }
}
