package dev.berth.server.validation.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.GoComposites;

/// Rules for updates of a pod with scheduling gates: node selection may only become narrower.
///
/// A gated pod has not been looked at by the scheduler, so narrowing is safe (KEP-3838). Widening
/// is not: whoever set a gate may have reserved room for what was asked.
final class PodGatedRules {
  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";

  private final ObjectNode spec;
  private final JsonNode old;
  private final FieldErrors errors;

  PodGatedRules(ObjectNode spec, JsonNode old, FieldErrors errors) {
    this.spec = spec;
    this.old = old;
    this.errors = errors;
  }

  /// Checks the changes and reverts them, so that the following comparison sees only other changes.
  void takeBackNarrowing() {
    JsonNode selector = spec.path("nodeSelector");
    if (!PodUpdateRules.same(selector, old.path("nodeSelector"))) {
      if (!PodUpdateRules.onlyAdds(selector, old.path("nodeSelector"))) {
        errors.invalidLiteral(
            SPEC.child("nodeSelector"),
            GoComposites.stringMap(selector),
            "only additions to spec.nodeSelector are allowed (no mutations or deletions)");
      }
      PodUpdateRules.set(spec, "nodeSelector", old.get("nodeSelector"));
    }
    JsonNode wanted = spec.path("affinity").path("nodeAffinity");
    JsonNode before = old.path("affinity").path("nodeAffinity");
    if (!PodUpdateRules.same(wanted, before)) {
      terms(
          wanted.path(REQUIRED).path("nodeSelectorTerms"),
          before.path(REQUIRED).path("nodeSelectorTerms"));
      restore(before);
    }
  }

  private void terms(JsonNode terms, JsonNode before) {
    // Without terms any node was allowed, so that every new term narrows.
    if (before.isEmpty()) {
      return;
    }
    FieldPath path =
        SPEC.child("affinity").child("nodeAffinity").child(REQUIRED).child("nodeSelectorTerms");
    // Terms are alternatives: one more widens the choice, one less may be what somebody counts on.
    if (terms.size() != before.size()) {
      errors.invalid(
          path,
          terms.isMissingNode() ? spec.nullNode() : terms,
          "no additions/deletions to non-empty NodeSelectorTerms list are allowed");
      return;
    }
    for (int i = 0; i < before.size(); i++) {
      if (!onlyNarrows(terms.get(i), before.get(i))) {
        errors.invalid(
            path.index(i), terms.get(i), "only additions are allowed (no mutations or deletions)");
      }
    }
  }

  private static boolean onlyNarrows(JsonNode term, JsonNode before) {
    // A term without requirements matches nothing; with one it would match something.
    if (isEmpty(before) && !isEmpty(term)) {
      return false;
    }
    return startsWith(term.path("matchExpressions"), before.path("matchExpressions"))
        && startsWith(term.path("matchFields"), before.path("matchFields"));
  }

  private static boolean isEmpty(JsonNode term) {
    return term.path("matchExpressions").isEmpty() && term.path("matchFields").isEmpty();
  }

  private static boolean startsWith(JsonNode list, JsonNode start) {
    if (list.size() < start.size()) {
      return false;
    }
    for (int i = 0; i < start.size(); i++) {
      if (!PodUpdateRules.same(list.get(i), start.get(i))) {
        return false;
      }
    }
    return true;
  }

  private void restore(JsonNode before) {
    ObjectNode affinity = spec.withObjectProperty("affinity");
    PodUpdateRules.set(affinity, "nodeAffinity", before.isMissingNode() ? null : before);
    if (affinity.isEmpty() && !old.has("affinity")) {
      spec.remove("affinity");
    }
  }
}
