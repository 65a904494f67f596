package dev.berth.server.validation.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.pods.PodView;
import dev.berth.api.pods.QosClass;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import java.util.List;

/// Rules of `/resize`: it may change CPU and memory of containers only.
///
/// Only the specification changes here; the node agent decides when the resize happens and reports
/// it in the status.
///
/// KEP-1287, upstream's `ValidatePodResize`.
final class PodResizeRules {
  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final List<String> SORTS = List.of("requests", "limits");
  private static final List<String> RESIZED = List.of("cpu", "memory");

  private final ObjectNode pod;
  private final ObjectNode old;
  private final FieldErrors errors;

  PodResizeRules(ObjectNode pod, ObjectNode old, FieldErrors errors) {
    this.pod = pod;
    this.old = old;
    this.errors = errors;
  }

  void validate() {
    QosClass quality = QosClass.of(PodView.of(pod.path("spec")));
    // The class decides about control groups and eviction, which are fixed when the pod starts.
    if (quality != QosClass.of(PodView.of(old.path("spec")))) {
      errors.invalid(
          SPEC, quality.toString(), "Pod QOS Class may not change as a result of resizing");
    }
    ObjectNode rest = pod.path("spec").deepCopy();
    JsonNode containers = rest.path("containers");
    for (int i = 0; i < containers.size(); i++) {
      JsonNode before = old.path("spec").path("containers").path(i);
      container((ObjectNode) containers.get(i), before, SPEC.child("containers").index(i));
    }
    if (!PodUpdateRules.same(rest, old.path("spec"))) {
      errors.forbidden(
          SPEC,
          "only cpu and memory resources are mutable\n"
              + PodSpecDiff.ofSpecs(old.path("spec"), rest));
    }
  }

  /// Reverts the allowed changes, so that the comparison finds the others.
  ///
  /// Amounts may change but not disappear, as upstream has it.
  private void container(ObjectNode container, JsonNode before, FieldPath path) {
    PodUpdateRules.set(container, "resizePolicy", before.get("resizePolicy"));
    ObjectNode resources = container.withObjectProperty("resources");
    for (String sort : SORTS) {
      JsonNode had = before.path("resources").path(sort);
      ObjectNode amounts = resources.withObjectProperty(sort);
      for (String resource : RESIZED) {
        if (had.has(resource) && !amounts.has(resource)) {
          errors.forbidden(
              path.child("resources").child(sort), "resource " + sort + " cannot be removed");
        }
        PodUpdateRules.set(amounts, resource, had.get(resource));
      }
      if (amounts.isEmpty() && had.isMissingNode()) {
        resources.remove(sort);
      }
    }
  }
}
