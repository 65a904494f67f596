package dev.berth.server.validation.pods;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.GoText;
import dev.berth.server.validation.containers.ContainerWarnings;
import dev.berth.server.validation.fields.NameRules;
import dev.berth.server.validation.fields.PodContainers;
import dev.berth.server.validation.fields.PodFields;
import dev.berth.server.validation.volumes.VolumeWarnings;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/// Warnings about pods and templates.
///
/// Warnings never refuse a write. They are sent on creation only, because controllers update pods
/// often and nobody reads their warnings.
final class PodWarnings {
  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
  private static final List<Map.Entry<String, String>> ANNOTATIONS =
      List.of(
          Map.entry(
              "scheduler.alpha.kubernetes.io/critical-pod",
              "non-functional in v1.16+; use the \"priorityClassName\" field instead"),
          Map.entry(
              "security.alpha.kubernetes.io/sysctls",
              "non-functional in v1.11+; use the \"sysctls\" field instead"),
          Map.entry(
              "security.alpha.kubernetes.io/unsafe-sysctls",
              "non-functional in v1.11+; use the \"sysctls\" field instead"));
  // KEP-135. The AppArmor annotations below are replaced by KEP-24.
  private static final String USE_SECCOMP_FIELD =
      "non-functional in v1.27+; use the \"seccompProfile\" field instead";
  private static final String NO_SELECTOR = "a null labelSelector results in matching no pod";

  private final FieldPath path;
  private final Consumer<String> warnings;

  /// Adds the warnings about one pod or template.
  ///
  /// @param path the path of the template; the root for a pod
  PodWarnings(FieldPath path, Consumer<String> warnings) {
    this.path = path;
    this.warnings = warnings;
  }

  void warn(JsonNode pod, boolean isTemplate) {
    JsonNode spec = pod.path("spec");
    JsonNode annotations = pod.path("metadata").path("annotations");
    FieldPath specPath = path.child("spec");
    nodeLabels(spec, specPath);
    spread(spec.path("topologySpreadConstraints"), specPath.child("topologySpreadConstraints"));
    for (Map.Entry<String, String> deprecated : ANNOTATIONS) {
      if (annotations.has(deprecated.getKey())) {
        annotation(deprecated.getKey(), deprecated.getValue());
      }
    }
    new VolumeWarnings(specPath.child("volumes"), warnings).warn(spec.path("volumes"));
    duplicates(spec.path("hostAliases"), "ip", specPath.child("hostAliases"));
    JsonNode secrets = spec.path("imagePullSecrets");
    duplicates(secrets, "name", specPath.child("imagePullSecrets"));
    for (int i = 0; i < secrets.size(); i++) {
      if (PodFields.text(secrets.get(i), "name").isEmpty()) {
        warn(specPath.child("imagePullSecrets").index(i).child("name"), "invalid empty name \"\"");
      }
    }
    ContainerWarnings containers = new ContainerWarnings(specPath, warnings);
    containers.fractions(spec.path("overhead"), specPath.child("overhead"));
    profiles(spec, annotations, isTemplate);
    containers.warn(spec);
    if (PodFields.number(spec, "terminationGracePeriodSeconds") < 0) {
      warn(
          specPath.child("terminationGracePeriodSeconds"),
          "must be >= 0; negative values are invalid and will be treated as 1");
    }
    podTerms(spec.path("affinity"), "podAffinity", specPath);
    podTerms(spec.path("affinity"), "podAntiAffinity", specPath);
  }

  private void warn(FieldPath at, String text) {
    warnings.accept(at + ": " + text);
  }

  private void annotation(String key, String text) {
    warn(path.child("metadata").child("annotations").key(key), text);
  }

  private void nodeLabels(JsonNode spec, FieldPath specPath) {
    spec.path("nodeSelector")
        .fieldNames()
        .forEachRemaining(
            label ->
                PodNodeLabels.advice(label)
                    .ifPresent(text -> warn(specPath.child("nodeSelector").key(label), text)));
    JsonNode nodes = spec.path("affinity").path("nodeAffinity");
    if (nodes.isMissingNode()) {
      return;
    }
    FieldPath at = specPath.child("affinity").child("nodeAffinity");
    JsonNode terms = nodes.path(REQUIRED).path("nodeSelectorTerms");
    for (int i = 0; i < terms.size(); i++) {
      nodeTerm(terms.get(i), false, at.child(REQUIRED).child("nodeSelectorTerms").index(i));
    }
    JsonNode preferred = nodes.path(PREFERRED);
    for (int i = 0; i < preferred.size(); i++) {
      FieldPath preference = at.child(PREFERRED).index(i).child("preference");
      nodeTerm(preferred.get(i).path("preference"), true, preference);
    }
  }

  private void nodeTerm(JsonNode term, boolean checkValues, FieldPath at) {
    JsonNode expressions = term.path("matchExpressions");
    for (int i = 0; i < expressions.size(); i++) {
      FieldPath expression = at.child("matchExpressions").index(i);
      String key = PodFields.text(expressions.get(i), "key");
      PodNodeLabels.advice(key)
          .ifPresent(text -> warn(expression.child("key"), key + " is " + text));
      JsonNode values = expressions.get(i).path("values");
      for (int v = 0; checkValues && v < values.size(); v++) {
        String value = values.get(v).asText();
        for (String reason : NameRules.labelValue(value)) {
          warn(expression.child("values").index(v), value + " is invalid, " + reason);
        }
      }
    }
  }

  private void spread(JsonNode constraints, FieldPath at) {
    for (int i = 0; i < constraints.size(); i++) {
      FieldPath constraint = at.index(i);
      String key = PodFields.text(constraints.get(i), "topologyKey");
      PodNodeLabels.advice(key)
          .ifPresent(text -> warn(constraint.child("topologyKey"), key + " is " + text));
      if (!PodFields.has(constraints.get(i), "labelSelector")) {
        warn(constraint.child("labelSelector"), NO_SELECTOR);
      }
    }
  }

  private void duplicates(JsonNode items, String field, FieldPath at) {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < items.size(); i++) {
      String value = PodFields.text(items.get(i), field);
      if (!seen.add(value)) {
        warn(at.index(i).child(field), "duplicate " + field + " " + GoText.quote(value));
      }
    }
  }

  private void profiles(JsonNode spec, JsonNode annotations, boolean isTemplate) {
    if (annotations.isEmpty()) {
      return;
    }
    JsonNode context = spec.path("securityContext");
    if (!PodFields.has(context, "seccompProfile")
        && annotations.has(PodAnnotationRules.SECCOMP_POD)) {
      annotation(PodAnnotationRules.SECCOMP_POD, USE_SECCOMP_FIELD);
    }
    PodContainers.visit(
        spec,
        path,
        (container, _) -> {
          String name = PodFields.text(container, "name");
          JsonNode own = container.path("securityContext");
          String seccomp = PodAnnotationRules.SECCOMP_CONTAINER + name;
          if (!PodFields.has(own, "seccompProfile") && annotations.has(seccomp)) {
            annotation(seccomp, USE_SECCOMP_FIELD);
          }
          String appArmor = PodAnnotationRules.APP_ARMOR + name;
          boolean field =
              PodFields.has(context, "appArmorProfile") || PodFields.has(own, "appArmorProfile");
          if (isTemplate && !field && annotations.has(appArmor)) {
            annotation(
                appArmor, "deprecated since v1.30; use the \"appArmorProfile\" field instead");
          }
        });
  }

  private void podTerms(JsonNode affinity, String sort, FieldPath specPath) {
    FieldPath at = specPath.child("affinity").child(sort);
    JsonNode required = affinity.path(sort).path(REQUIRED);
    for (int i = 0; i < required.size(); i++) {
      if (!PodFields.has(required.get(i), "labelSelector")) {
        warn(at.child(REQUIRED).index(i).child("labelSelector"), NO_SELECTOR);
      }
    }
    JsonNode preferred = affinity.path(sort).path(PREFERRED);
    for (int i = 0; i < preferred.size(); i++) {
      if (!PodFields.has(preferred.get(i).path("podAffinityTerm"), "labelSelector")) {
        FieldPath term = at.child(PREFERRED).index(i).child("podAffinityTerm");
        warn(term.child("labelSelector"), NO_SELECTOR);
      }
    }
  }
}
