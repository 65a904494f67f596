package dev.berth.server.validation.resources;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.KindValidator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// The rules of ResourceQuota.
///
/// Scopes are immutable, because the counted objects of the status would otherwise belong to other
/// scopes.
///
/// Upstream's `ValidateResourceQuota`. The scope about affinity is of KEP-2249.
public final class ResourceQuotaValidation implements KindValidator {
  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final FieldPath STATUS = FieldPath.of("status");
  private static final String BEST_EFFORT = "BestEffort";
  private static final Set<String> SCOPES =
      Set.of(
          "Terminating",
          "NotTerminating",
          BEST_EFFORT,
          "NotBestEffort",
          "PriorityClass",
          "CrossNamespacePodAffinity");
  private static final Set<String> SCOPED =
      Set.of(
          "pods",
          "cpu",
          "memory",
          "requests.cpu",
          "requests.memory",
          "limits.cpu",
          "limits.memory");
  private static final List<Set<String>> CONFLICTING =
      List.of(Set.of(BEST_EFFORT, "NotBestEffort"), Set.of("Terminating", "NotTerminating"));
  private static final String ONLY_EXISTS =
      "must be 'Exist' only operator when scope is any of ResourceQuotaScopeTerminating,"
          + " ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort,"
          + " ResourceQuotaScopeNotBestEffort and ResourceQuotaScopeCrossNamespacePodAffinity";

  @Override
  public void onCreate(ObjectNode quota, FieldErrors errors) {
    JsonNode spec = quota.path("spec");
    amounts(spec.path("hard"), SPEC.child("hard"), errors);
    scopes(spec, errors);
    selector(spec, errors);
    status(quota, errors);
  }

  @Override
  public void onUpdate(ObjectNode quota, ObjectNode old, FieldErrors errors) {
    onCreate(quota, errors);
    Set<String> now = texts(quota.path("spec").path("scopes"));
    if (!now.equals(texts(old.path("spec").path("scopes")))) {
      errors.invalid(SPEC.child("scopes"), quota.path("spec").path("scopes"), "field is immutable");
    }
  }

  @Override
  public void onStatusUpdate(ObjectNode quota, ObjectNode old, FieldErrors errors) {
    status(quota, errors);
  }

  private static void status(ObjectNode quota, FieldErrors errors) {
    amounts(quota.path("status").path("hard"), STATUS.child("hard"), errors);
    amounts(quota.path("status").path("used"), STATUS.child("used"), errors);
  }

  private static void amounts(JsonNode amounts, FieldPath path, FieldErrors errors) {
    // Upstream iterates over a map in random order; here equal objects give equal messages.
    Map<String, String> sorted = new TreeMap<>();
    amounts.properties().forEach(entry -> sorted.put(entry.getKey(), entry.getValue().asText()));
    sorted.forEach(
        (name, text) -> {
          ResourceRules.resourceName(name, path.key(name), errors);
          if (name.indexOf('/') < 0 && !ResourceNames.isForQuotas(name)) {
            errors.invalid(path.key(name), name, "must be a standard resource for quota");
          }
          ResourceRules.quantity(name, text, path.key(name), errors);
        });
  }

  private static void scopes(JsonNode spec, FieldErrors errors) {
    JsonNode scopes = spec.path("scopes");
    FieldPath path = SPEC.child("scopes");
    for (JsonNode scope : scopes) {
      if (!SCOPES.contains(scope.asText())) {
        errors.invalid(path, scopes, "unsupported scope");
      }
      unfitting(spec, scope.asText())
          .forEach(_ -> errors.invalid(path, scopes, "unsupported scope applied to resource"));
    }
    conflicts(texts(scopes), scopes, path, errors);
  }

  /// The counted resources that pods of a scope do not have.
  ///
  /// A quota for best-effort pods cannot count CPU, which those pods do not request.
  private static List<String> unfitting(JsonNode spec, String scope) {
    Set<String> fitting = scope.equals(BEST_EFFORT) ? Set.of("pods") : SCOPED;
    return !SCOPES.contains(scope)
        ? List.of()
        : spec.path("hard")
            .propertyStream()
            .map(Map.Entry::getKey)
            .filter(name -> ResourceNames.isForQuotas(name) && !fitting.contains(name))
            .toList();
  }

  private static void conflicts(
      Set<String> scopes, JsonNode shown, FieldPath path, FieldErrors errors) {
    for (Set<String> pair : CONFLICTING) {
      if (scopes.containsAll(pair)) {
        errors.invalid(path, shown, "conflicting scopes");
      }
    }
  }

  private static void selector(JsonNode spec, FieldErrors errors) {
    JsonNode selector = spec.path("scopeSelector");
    FieldPath path = SPEC.child("scopeSelector").child("matchExpressions");
    Set<String> scopes = new HashSet<>();
    for (JsonNode expression : selector.path("matchExpressions")) {
      String scope = expression.path("scopeName").asText();
      scopes.add(scope);
      if (!SCOPES.contains(scope)) {
        errors.invalid(path.child("scopeName"), scope, "unsupported scope");
      }
      unfitting(spec, scope)
          .forEach(_ -> errors.invalid(path, selector, "unsupported scope applied to resource"));
      operator(scope, expression, path, errors);
    }
    conflicts(scopes, spec.path("scopes"), path, errors);
  }

  private static void operator(
      String scope, JsonNode expression, FieldPath path, FieldErrors errors) {
    String operator = expression.path("operator").asText();
    if (SCOPES.contains(scope) && !scope.equals("PriorityClass") && !operator.equals("Exists")) {
      errors.invalid(path.child("operator"), operator, ONLY_EXISTS);
    }
    JsonNode values = expression.path("values");
    switch (operator) {
      case "In", "NotIn" -> {
        if (values.isEmpty()) {
          errors.required(
              path.child("values"),
              "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector");
        }
      }
      case "Exists", "DoesNotExist" -> {
        if (!values.isEmpty()) {
          errors.invalid(
              path.child("values"),
              values,
              "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector");
        }
      }
      default -> errors.invalid(path.child("operator"), operator, "not a valid selector operator");
    }
  }

  private static Set<String> texts(JsonNode list) {
    Set<String> texts = new HashSet<>();
    list.forEach(one -> texts.add(one.asText()));
    return texts;
  }
}
