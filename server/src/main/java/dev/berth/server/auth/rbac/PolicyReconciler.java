package dev.berth.server.auth.rbac;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.auth.ObjectReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Creates missing bootstrap roles and bindings at start and adds missing rules and subjects.
///
/// Additions by users stay; an object with the annotation `autoupdate: "false"` is not touched.
///
/// The plan is pure; `SystemObjects` carries it out. An upgrade of Berth so adds new permissions of
/// its components to clusters that exist.
public final class PolicyReconciler {
  /// A change to make; the object is complete except for fields that the server sets.
  public sealed interface Change {
    public ObjectNode object();

    public record Create(ObjectNode object) implements Change {}

    /// Updates an object; it has the metadata of the stored one.
    public record Update(ObjectNode object) implements Change {}

    /// Deletes the object of this kind and name, then creates it again.
    public record Recreate(ObjectNode object) implements Change {}
  }

  private PolicyReconciler() {}

  /// The changes in their order; empty when the stored objects are sufficient.
  public static List<Change> plan(BootstrapPolicy policy, ObjectReader objects) {
    List<Change> changes = new ArrayList<>();
    for (ObjectNode wanted : policy.objects()) {
      String kind = wanted.path("kind").asText();
      String bucket =
          (kind.equals("ClusterRole") ? "clusterroles" : "clusterrolebindings")
              + ".rbac.authorization.k8s.io";
      ObjectNode found = objects.read(bucket, "", wanted.at("/metadata/name").asText());
      if (found == null) {
        changes.add(new Change.Create(wanted.deepCopy()));
      } else if (isOurs(found)) {
        repaired(found.deepCopy(), wanted).ifPresent(changes::add);
      }
    }
    return changes;
  }

  private static boolean isOurs(ObjectNode found) {
    String choice = found.at("/metadata/annotations").path(BootstrapPolicy.AUTO_UPDATE).asText("");
    return !choice.equals("false");
  }

  private static Optional<Change> repaired(ObjectNode found, ObjectNode wanted) {
    if (!found.path("roleRef").equals(wanted.path("roleRef"))) {
      // A binding's roleRef is immutable, so a binding with another role is replaced.
      return Optional.of(new Change.Recreate(wanted.deepCopy()));
    }
    boolean changed = addMissing(found, wanted, "labels");
    changed |= addMissing(found, wanted, "annotations");
    changed |= found.has("roleRef") ? mendBinding(found, wanted) : mendRole(found, wanted);
    return changed ? Optional.of(new Change.Update(found)) : Optional.empty();
  }

  private static boolean addMissing(ObjectNode found, ObjectNode wanted, String map) {
    boolean changed = false;
    for (var entry : wanted.path("metadata").path(map).properties()) {
      ObjectNode values = found.withObject("/metadata/" + map);
      if (!values.has(entry.getKey())) {
        values.set(entry.getKey(), entry.getValue());
        changed = true;
      }
    }
    return changed;
  }

  private static boolean mendRole(ObjectNode found, ObjectNode wanted) {
    boolean changed = false;
    List<PolicyRule> held = PolicyRule.all(found.path("rules"));
    for (JsonNode rule : wanted.path("rules")) {
      // A rule that broader rules of the role cover is not missing.
      if (!RuleCover.missing(held, List.of(PolicyRule.of(rule))).isEmpty()) {
        array(found, "rules").add(rule.deepCopy());
        changed = true;
      }
    }
    for (JsonNode selector : wanted.at("/aggregationRule/clusterRoleSelectors")) {
      if (!has(found.at("/aggregationRule/clusterRoleSelectors"), selector)) {
        array(found.withObject("/aggregationRule"), "clusterRoleSelectors")
            .add(selector.deepCopy());
        changed = true;
      }
    }
    return changed;
  }

  private static boolean mendBinding(ObjectNode found, ObjectNode wanted) {
    boolean changed = false;
    for (JsonNode subject : wanted.path("subjects")) {
      if (!has(found.path("subjects"), subject)) {
        array(found, "subjects").add(subject.deepCopy());
        changed = true;
      }
    }
    return changed;
  }

  private static boolean has(JsonNode list, JsonNode element) {
    return list.valueStream().anyMatch(element::equals);
  }

  /// The list at a field; created when the field is absent or null.
  private static ArrayNode array(ObjectNode object, String field) {
    return object.path(field) instanceof ArrayNode list ? list : object.putArray(field);
  }
}
