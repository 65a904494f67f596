package dev.berth.api.resources;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.api.pods.PodView;
import dev.berth.api.pods.QosClass;
import java.util.ArrayList;
import java.util.List;

/// Decides which objects a quota counts: all, or the pods that its scopes and scope selector
/// select.
public final class QuotaScopes {
  private QuotaScopes() {}

  /// Whether the quota counts the object.
  ///
  /// @param quotaSpec the `spec` of a ResourceQuota
  /// @param resource plural and group of the object
  public static boolean include(JsonNode quotaSpec, String resource, JsonNode object) {
    List<JsonNode> expressions = new ArrayList<>();
    quotaSpec.path("scopeSelector").path("matchExpressions").forEach(expressions::add);
    JsonNode scopes = quotaSpec.path("scopes");
    if (expressions.isEmpty() && scopes.isEmpty()) {
      return true;
    }
    // Scopes apply to pods only.
    if (!resource.equals(ObjectUsage.PODS)) {
      return false;
    }
    JsonNode spec = object.path("spec");
    for (JsonNode scope : scopes) {
      // `scopes` is the older form, in which every scope means `Exists`.
      if (!isIn(scope.asText(), "Exists", List.of(), spec)) {
        return false;
      }
    }
    for (JsonNode expression : expressions) {
      List<String> values = expression.path("values").valueStream().map(JsonNode::asText).toList();
      if (!isIn(
          expression.path("scopeName").asText(),
          expression.path("operator").asText(),
          values,
          spec)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isIn(String scope, String operator, List<String> values, JsonNode spec) {
    return switch (scope) {
      case "Terminating" -> isTerminating(spec);
      case "NotTerminating" -> !isTerminating(spec);
      case "BestEffort" -> isBestEffort(spec);
      case "NotBestEffort" -> !isBestEffort(spec);
      case "CrossNamespacePodAffinity" -> looksIntoOtherNamespaces(spec);
      case "PriorityClass" ->
          hasPriorityClass(spec.path("priorityClassName").asText(), operator, values);
      default -> false;
    };
  }

  /// The scope `Terminating`: a pod with `activeDeadlineSeconds`.
  private static boolean isTerminating(JsonNode spec) {
    JsonNode deadline = spec.path("activeDeadlineSeconds");
    return deadline.isNumber() && deadline.longValue() >= 0;
  }

  private static boolean isBestEffort(JsonNode spec) {
    return QosClass.of(PodView.of(spec)) == QosClass.BEST_EFFORT;
  }

  private static boolean hasPriorityClass(String name, String operator, List<String> values) {
    return switch (operator) {
      case "Exists" -> !name.isEmpty();
      case "DoesNotExist" -> name.isEmpty();
      case "In" -> !name.isEmpty() && values.contains(name);
      case "NotIn" -> name.isEmpty() || !values.contains(name);
      default -> false;
    };
  }

  private static boolean looksIntoOtherNamespaces(JsonNode spec) {
    JsonNode affinity = spec.path("affinity");
    for (String sort : List.of("podAffinity", "podAntiAffinity")) {
      List<JsonNode> terms = new ArrayList<>();
      affinity
          .path(sort)
          .path("requiredDuringSchedulingIgnoredDuringExecution")
          .forEach(terms::add);
      affinity
          .path(sort)
          .path("preferredDuringSchedulingIgnoredDuringExecution")
          .forEach(weighted -> terms.add(weighted.path("podAffinityTerm")));
      for (JsonNode term : terms) {
        if (!term.path("namespaces").isEmpty() || term.path("namespaceSelector").isObject()) {
          return true;
        }
      }
    }
    return false;
  }
}
