package dev.berth.server.validation.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.fields.MetadataRules;
import dev.berth.server.validation.fields.PodFields;
import java.util.function.Consumer;

/// The rules of pod templates in other kinds.
///
/// A template is checked like a pod, so that a mistake shows when the workload is written and not
/// when its controller fails to create pods.
///
/// Upstream's `ValidatePodTemplateSpec`. The name of the pod is not known yet, so that rules about
/// names derived from it do not run.
public final class PodTemplateValidation {
  private PodTemplateValidation() {}

  /// Checks a defaulted template.
  ///
  /// @param path the place of the template, such as `spec.template`
  public static void validate(ObjectNode template, FieldPath path, FieldErrors errors) {
    JsonNode metadata = template.path("metadata");
    JsonNode annotations = metadata.path("annotations");
    JsonNode spec = template.path("spec");
    // Upstream reports these without `metadata`.
    PodFields.labels(metadata.path("labels"), path.child("labels"), errors);
    MetadataRules.checkAnnotations(annotations, path.child("annotations"), errors);
    PodAnnotationRules rules =
        new PodAnnotationRules(annotations, spec, path.child("annotations"), errors);
    rules.validate();
    new PodSpecRules(spec, false, path.child("spec"), errors).validate("");
    rules.matchFields(path.child("spec"));
    if (!spec.path("ephemeralContainers").isEmpty()) {
      errors.forbidden(
          path.child("spec").child("ephemeralContainers"),
          "ephemeral containers not allowed in pod template");
    }
  }

  /// Advice about a template.
  public static void warn(ObjectNode template, FieldPath path, Consumer<String> warnings) {
    new PodWarnings(path, warnings).warn(template, true);
  }
}
