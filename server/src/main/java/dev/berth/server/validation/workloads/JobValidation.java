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

/// The rules of Job.
///
/// A job gets its selector and labels from the server, by its UID; otherwise two jobs could count
/// each other's pods. The template is immutable once a pod may exist, since pods of two templates
/// would be mixed.
///
/// Upstream's `ValidateJob`. Index modes are KEP-2214 and KEP-3850, failure and success policies
/// KEP-3329 and KEP-3998. Jobs are only stored here: no controller starts their pods.
public final class JobValidation implements KindValidator {
  private static final List<String> MODES = List.of("NonIndexed", "Indexed");
  // `Always` would start an ended container again, and the job would never complete.
  private static final List<String> RESTART = List.of("OnFailure", "Never");
  private static final FieldPath TEMPLATE = SPEC.child("template");
  private static final String UID_LABEL = "batch.kubernetes.io/controller-uid";

  /// Where pods of a job may run is open to changes until it starts.
  private static final List<String> SCHEDULING =
      List.of("nodeSelector", "affinity", "tolerations", "schedulingGates");

  @Override
  public void onCreate(ObjectNode job, FieldErrors errors) {
    JsonNode spec = job.path("spec");
    checkGenerated(job, spec, errors);
    checkSpec(spec, errors);
    JsonNode selector = spec.path("selector");
    if (!selector.isObject()) {
      errors.required(SPEC.child("selector"), "");
    } else {
      LabelSelectorRules.check(selector, SPEC.child("selector"), errors);
    }
    WorkloadRules.checkSelected(spec, errors);
  }

  /// Checks that labels and selector are those that the server has made, unless `manualSelector` is
  /// set.
  private static void checkGenerated(ObjectNode job, JsonNode spec, FieldErrors errors) {
    if (spec.path("manualSelector").asBoolean() || !spec.path("selector").isObject()) {
      return;
    }
    String uid = job.path("metadata").path("uid").asText();
    String name = job.path("metadata").path("name").asText();
    checkLabel(spec, "controller-uid", uid, errors);
    checkLabel(spec, "job-name", name, errors);
    checkLabel(spec, UID_LABEL, uid, errors);
    checkLabel(spec, "batch.kubernetes.io/job-name", name, errors);
    ObjectNode expected = job.objectNode().put("controller-uid", uid).put(UID_LABEL, uid);
    expected.put("job-name", name).put("batch.kubernetes.io/job-name", name);
    if (!LabelSelectorRules.matches(spec.path("selector"), expected)) {
      errors.invalidLiteral(
          SPEC.child("selector"),
          GoComposites.labelSelector(spec.path("selector")),
          "`selector` not auto-generated");
    }
  }

  private static void checkLabel(JsonNode spec, String label, String expected, FieldErrors errors) {
    JsonNode labels = spec.path("template").path("metadata").path("labels");
    FieldPath path = TEMPLATE.child("metadata").child("labels").key(label);
    if (!labels.has(label)) {
      errors.required(path, "must be '" + expected + "'");
    } else if (!labels.path(label).asText().equals(expected)) {
      errors.invalidLiteral(path, GoComposites.stringMap(labels), "must be '" + expected + "'");
    }
  }

  private static void checkSpec(JsonNode spec, FieldErrors errors) {
    CommonChecks.nonNegative(
        spec,
        SPEC,
        errors,
        "parallelism",
        "completions",
        "activeDeadlineSeconds",
        "backoffLimit",
        "ttlSecondsAfterFinished",
        "backoffLimitPerIndex",
        "maxFailedIndexes");
    if (spec.hasNonNull("completionMode")) {
      String mode = spec.path("completionMode").asText();
      if (!MODES.contains(mode)) {
        errors.notSupportedInOrder(SPEC.child("completionMode"), mode, MODES);
      }
      if (mode.equals("Indexed") && !spec.hasNonNull("completions")) {
        errors.required(SPEC.child("completions"), "when completion mode is Indexed");
      }
    }
    WorkloadRules.checkTemplate(spec, errors);
    checkRestart(spec, errors);
  }

  private static void checkRestart(JsonNode spec, FieldErrors errors) {
    String policy = spec.path("template").path("spec").path("restartPolicy").asText();
    FieldPath path = TEMPLATE.child("spec").child("restartPolicy");
    if (policy.equals("Always")) {
      errors.required(path, "valid values: \"OnFailure\", \"Never\"");
    } else if (!RESTART.contains(policy)) {
      errors.notSupportedInOrder(path, policy, RESTART);
    } else if (policy.equals("OnFailure") && spec.hasNonNull("podFailurePolicy")) {
      errors.invalid(
          path, policy, "only \"Never\" is supported when podFailurePolicy is specified");
    }
  }

  @Override
  public void onUpdate(ObjectNode job, ObjectNode old, FieldErrors errors) {
    onCreate(job, errors);
    JsonNode spec = job.path("spec");
    JsonNode oldSpec = old.path("spec");
    // KEP-3715: the number of indexes may follow the parallelism.
    boolean elastic =
        spec.path("completionMode").asText().equals("Indexed")
            && spec.path("completions").equals(spec.path("parallelism"));
    if (!elastic) {
      checkUnchanged(spec, oldSpec, "completions", errors);
    }
    WorkloadRules.checkSelectorUnchanged(job, old, errors);
    JsonNode template = spec.path("template");
    if (!template.equals(oldSpec.path("template")) && !onlyPlacement(job, old)) {
      errors.invalid(TEMPLATE, template, CommonChecks.IMMUTABLE);
    }
    for (String field :
        new String[] {
          "completionMode", "podFailurePolicy", "backoffLimitPerIndex", "managedBy", "successPolicy"
        }) {
      checkUnchanged(spec, oldSpec, field, errors);
    }
  }

  private static void checkUnchanged(
      JsonNode spec, JsonNode old, String field, FieldErrors errors) {
    CommonChecks.immutable(spec.path(field), old.path(field), SPEC.child(field), errors);
  }

  private static boolean onlyPlacement(ObjectNode job, ObjectNode old) {
    // KEP-2926: a queue may choose nodes for a suspended job that never ran.
    boolean waiting =
        old.path("spec").path("suspend").asBoolean() && !old.path("status").hasNonNull("startTime");
    return waiting && withoutPlacement(job).equals(withoutPlacement(old));
  }

  private static ObjectNode withoutPlacement(ObjectNode job) {
    ObjectNode template = job.deepCopy().withObject("/spec/template");
    template.withObject("/spec").remove(SCHEDULING);
    template.withObject("/metadata").remove(List.of("labels", "annotations"));
    return template;
  }

  @Override
  public void warn(ObjectNode job, Consumer<String> warnings) {
    WorkloadRules.warn(job, warnings);
  }
}
