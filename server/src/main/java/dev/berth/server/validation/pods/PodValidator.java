package dev.berth.server.validation.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.pods.PodSource;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.GoText;
import dev.berth.server.validation.KindValidator;
import dev.berth.server.validation.containers.ContainerRules;
import dev.berth.server.validation.fields.PodFields;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/// Checks pods: on creation, on updates, and through their subresources, each of which may change
/// other fields.
public final class PodValidator implements KindValidator {
  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final FieldPath ANNOTATIONS = FieldPath.of("metadata").child("annotations");

  @Override
  public void onCreate(ObjectNode pod, FieldErrors errors) {
    JsonNode spec = pod.path("spec");
    always(pod, errors);
    if (!spec.path("ephemeralContainers").isEmpty()) {
      errors.forbidden(SPEC.child("ephemeralContainers"), "cannot be set on create");
    }
    // A bound pod is started by its node, which does not look at gates.
    if (!PodFields.text(spec, "nodeName").isEmpty() && !spec.path("schedulingGates").isEmpty()) {
      errors.forbidden(
          SPEC.child("nodeName"), "cannot be set until all schedulingGates have been cleared");
    }
    annotations(pod, errors).matchFields(SPEC);
  }

  /// Checks what holds for a pod at any time.
  private static void always(ObjectNode pod, FieldErrors errors) {
    JsonNode spec = pod.path("spec");
    annotations(pod, errors).validate();
    new PodSpecRules(spec, true, SPEC, errors)
        .validate(PodFields.text(pod.path("metadata"), "name"));
    if (PodFields.text(spec, "serviceAccountName").isEmpty()) {
      // There would be no account to make a token for. Admission sets the account before; static
      // pods have none.
      noTokens(spec.path("volumes"), errors);
    }
    images(spec, "containers", errors);
    images(spec, "initContainers", errors);
  }

  private static PodAnnotationRules annotations(ObjectNode pod, FieldErrors errors) {
    return new PodAnnotationRules(
        pod.path("metadata").path("annotations"), pod.path("spec"), ANNOTATIONS, errors);
  }

  private static void noTokens(JsonNode volumes, FieldErrors errors) {
    for (int v = 0; v < volumes.size(); v++) {
      JsonNode sources = volumes.get(v).path("projected").path("sources");
      for (int s = 0; s < sources.size(); s++) {
        if (sources.get(s).has("serviceAccountToken")) {
          errors.forbidden(
              SPEC.child("volumes")
                  .index(v)
                  .child("projected")
                  .child("sources")
                  .index(s)
                  .child("serviceAccountToken"),
              "must not be specified when serviceAccountName is not set");
        }
      }
    }
  }

  private static void images(JsonNode spec, String list, FieldErrors errors) {
    JsonNode containers = spec.path(list);
    for (int i = 0; i < containers.size(); i++) {
      ContainerRules.imageOfPod(containers.get(i), SPEC.child(list).index(i), errors);
    }
  }

  @Override
  public void onUpdate(ObjectNode pod, ObjectNode old, FieldErrors errors) {
    always(pod, errors);
    annotations(pod, errors).unchanged(old.path("metadata").path("annotations"));
    new PodUpdateRules(pod.path("spec"), old.path("spec"), errors).validate();
  }

  @Override
  public void onStatusUpdate(ObjectNode pod, ObjectNode old, FieldErrors errors) {
    annotations(pod, errors).unchanged(old.path("metadata").path("annotations"));
    annotations(pod, errors).validate();
    new PodStatusRules(errors).validate(pod, old);
  }

  /// Checks that ephemeral containers are only added: a debugging session must not change what was
  /// debugged before.
  @Override
  public void onEphemeralContainersUpdate(ObjectNode pod, ObjectNode old, FieldErrors errors) {
    if (PodSource.isMirror(old)) {
      errors.forbidden(FieldPath.ROOT, "static pods do not support ephemeral containers");
      return;
    }
    always(pod, errors);
    annotations(pod, errors).unchanged(old.path("metadata").path("annotations"));
    FieldPath path = SPEC.child("ephemeralContainers");
    Map<String, JsonNode> present = new HashMap<>();
    for (JsonNode container : pod.path("spec").path("ephemeralContainers")) {
      present.put(PodFields.text(container, "name"), container);
    }
    for (JsonNode container : old.path("spec").path("ephemeralContainers")) {
      String name = PodFields.text(container, "name");
      JsonNode now = present.get(name);
      String which = "existing ephemeral containers " + GoText.quote(name);
      if (now == null) {
        errors.forbidden(path, which + " may not be removed\n");
      } else if (!PodUpdateRules.same(container, now)) {
        errors.forbidden(
            path,
            which
                + " may not be changed\n"
                + PodSpecDiff.of("core.EphemeralContainer", container, now));
      }
    }
  }

  @Override
  public void onResize(ObjectNode pod, ObjectNode old, FieldErrors errors) {
    if (PodSource.isMirror(old)) {
      errors.forbidden(FieldPath.ROOT, "static pods cannot be resized");
      return;
    }
    always(pod, errors);
    new PodResizeRules(pod, old, errors).validate();
  }

  @Override
  public boolean warnsOnUpdate() {
    return false;
  }

  @Override
  public void warn(ObjectNode pod, Consumer<String> warnings) {
    new PodWarnings(FieldPath.ROOT, warnings).warn(pod, false);
  }
}
