package dev.berth.server.validation.fields;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/// The rules of `metadata.ownerReferences`.
public final class OwnerReferenceRules {
  private static final String EMPTY = "must not be empty";

  private OwnerReferenceRules() {}

  /// Keeps the first of several references to the same owner, in place, and warns of the others.
  ///
  /// Garbage collection would count an owner twice. The text of the warning is upstream's.
  public static void reduceDuplicates(ObjectNode object, Consumer<String> warnings) {
    if (!(object.path("metadata").get("ownerReferences") instanceof ArrayNode references)) {
      return;
    }
    Set<String> seen = new HashSet<>();
    Set<String> repeated = new TreeSet<>();
    ArrayNode kept = JsonNodeFactory.instance.arrayNode();
    for (JsonNode reference : references) {
      String uid = reference.path("uid").asText();
      if (seen.add(uid)) {
        kept.add(reference);
      } else {
        repeated.add(uid);
      }
    }
    if (!repeated.isEmpty()) {
      references.removeAll().addAll(kept);
      warnings.accept(
          ".metadata.ownerReferences contains duplicate entries; API server dedups owner references"
              + " in 1.20+, and may reject such requests as early as 1.24; please fix your requests;"
              + " duplicate UID(s) observed: "
              + String.join(", ", repeated));
    }
  }

  static void check(JsonNode references, FieldPath path, FieldErrors errors) {
    String controller = "";
    for (JsonNode reference : references) {
      checkReference(reference, path, errors);
      if (reference.path("controller").asBoolean()) {
        String name = reference.path("kind").asText() + "/" + reference.path("name").asText();
        // Two controllers would adopt and delete against each other.
        if (controller.isEmpty()) {
          controller = name;
        } else {
          errors.invalid(
              path,
              references,
              "Only one reference can have Controller set to true. Found \"true\" in references for"
                  + " %s and %s".formatted(controller, name));
        }
      }
    }
  }

  private static void checkReference(JsonNode reference, FieldPath path, FieldErrors errors) {
    String apiVersion = reference.path("apiVersion").asText();
    if (apiVersion.isEmpty()) {
      errors.invalid(path.child("apiVersion"), apiVersion, "version must not be empty");
    }
    for (String field : new String[] {"kind", "name", "uid"}) {
      if (reference.path(field).asText().isEmpty()) {
        errors.invalid(path.child(field), "", EMPTY);
      }
    }
    // Events expire after an hour, and would take what they own with them.
    if (apiVersion.equals("v1") && reference.path("kind").asText().equals("Event")) {
      errors.invalid(path, reference, "/v1, Kind=Event is disallowed from being an owner");
    }
  }
}
