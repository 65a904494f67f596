package dev.berth.server.validation.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.pods.PodWorkload;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.containers.ContainerRules;
import dev.berth.server.validation.fields.PodFields;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Rules for updates of a pod's specification.
///
/// The allowed changes are reverted in a copy, and whatever still differs is forbidden: a new field
/// of the specification is immutable without a rule of its own.
///
/// Upstream's `ValidatePodUpdate`.
final class PodUpdateRules {
  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final String CHANGEABLE =
      "pod updates may not change fields other than `spec.containers[*].image`,"
          + "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only"
          + " additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to"
          + " be set to 1 if it was previously negative)\n";

  /// Numbers are equal by value, however they were read.
  // `JsonNode.equals` takes the same number as int and as long for different values.
  private static final Comparator<JsonNode> BY_VALUE =
      (one, other) ->
          one.equals(other)
                  || (one.isNumber()
                      && other.isNumber()
                      && one.decimalValue().compareTo(other.decimalValue()) == 0)
              ? 0
              : 1;

  private final JsonNode spec;
  private final JsonNode old;
  private final FieldErrors errors;

  PodUpdateRules(JsonNode spec, JsonNode old, FieldErrors errors) {
    this.spec = spec;
    this.old = old;
    this.errors = errors;
  }

  static boolean same(JsonNode one, JsonNode other) {
    return one.equals(BY_VALUE, other);
  }

  void validate() {
    // Later rules compare containers by their index; with other lists their errors would be about
    // others.
    if (!sameContainers("containers") || !sameContainers("initContainers") || !deadlineShrinks()) {
      return;
    }
    TolerationRules.onlyAdded(
        spec.path("tolerations"), old.path("tolerations"), SPEC.child("tolerations"), errors);
    onlyRemovedGates();
    if (same(spec, old)) {
      return;
    }
    ObjectNode rest = spec.deepCopy();
    takeBackAllowedChanges(rest);
    if (!old.path("schedulingGates").isEmpty()) {
      new PodGatedRules(rest, old, errors).takeBackNarrowing();
    }
    if (!same(rest, old)) {
      errors.forbidden(SPEC, CHANGEABLE + PodSpecDiff.ofSpecs(old, rest));
    }
  }

  private boolean sameContainers(String list) {
    JsonNode now = spec.path(list);
    if (now.size() != old.path(list).size()) {
      errors.forbidden(SPEC.child(list), "pod updates may not add or remove containers");
      return false;
    }
    for (int i = 0; i < now.size(); i++) {
      PodFields.required(now.get(i), "image", SPEC.child(list).index(i), errors);
      ContainerRules.imageOfPod(now.get(i), SPEC.child(list).index(i), errors);
    }
    return true;
  }

  /// Checks that a deadline is only set or shortened, as upstream has it.
  private boolean deadlineShrinks() {
    FieldPath path = SPEC.child("activeDeadlineSeconds");
    boolean had = PodFields.has(old, "activeDeadlineSeconds");
    if (!PodFields.has(spec, "activeDeadlineSeconds")) {
      if (had) {
        // The agent counts the deadline from the start of the pod, and has armed its timer.
        errors.invalidLiteral(path, "null", "must not update from a positive integer to nil value");
      }
      return true;
    }
    long deadline = PodFields.number(spec, "activeDeadlineSeconds");
    if (deadline < 0 || deadline > Integer.MAX_VALUE) {
      errors.invalid(path, deadline, "must be between 0 and 2147483647, inclusive");
      return false;
    }
    if (had && PodFields.number(old, "activeDeadlineSeconds") < deadline) {
      errors.invalid(path, deadline, "must be less than or equal to previous value");
      return false;
    }
    return true;
  }

  private void onlyRemovedGates() {
    Set<String> existing = new HashSet<>();
    old.path("schedulingGates")
        .forEach(requestGuard -> existing.add(PodFields.text(requestGuard, "name")));
    JsonNode gates = spec.path("schedulingGates");
    for (int i = 0; i < gates.size(); i++) {
      String name = PodFields.text(gates.get(i), "name");
      if (!existing.contains(name)) {
        errors.forbidden(
            SPEC.child("schedulingGates").index(i).child("name"),
            "only deletion is allowed, but found new scheduling gate '" + name + "'");
      }
    }
  }

  private void takeBackAllowedChanges(ObjectNode rest) {
    takeBackImages(rest, "containers");
    takeBackImages(rest, "initContainers");
    takeBack(rest, "activeDeadlineSeconds");
    takeBack(rest, "schedulingGates");
    takeBack(rest, "tolerations");
    if (PodFields.number(old, "terminationGracePeriodSeconds") < 0
        && PodFields.number(rest, "terminationGracePeriodSeconds") == 1) {
      takeBack(rest, "terminationGracePeriodSeconds");
    }
    for (PodWorkload workload : PodWorkload.in(rest)) {
      JsonNode before = old.path(workload.type().field());
      workload.type().mutableFields().forEach(f -> set(workload.tree(), f, before.get(f)));
    }
  }

  private void takeBackImages(ObjectNode rest, String list) {
    JsonNode containers = rest.path(list);
    for (int i = 0; i < containers.size(); i++) {
      set((ObjectNode) containers.get(i), "image", old.path(list).get(i).get("image"));
    }
  }

  private void takeBack(ObjectNode rest, String field) {
    set(rest, field, old.get(field));
  }

  static void set(ObjectNode object, String field, @Nullable JsonNode value) {
    if (value == null) {
      object.remove(field);
    } else {
      object.set(field, value);
    }
  }

  /// Returns whether a map of texts has everything that another one has.
  static boolean onlyAdds(JsonNode map, JsonNode old) {
    for (Map.Entry<String, JsonNode> entry : old.properties()) {
      if (!entry.getValue().equals(map.get(entry.getKey()))) {
        return false;
      }
    }
    return true;
  }
}
