package dev.berth.server.validation;

import com.fasterxml.jackson.databind.node.ObjectNode;

/// The rules that `metadata` keeps in every kind.
public final class MetadataRules {
  private final NameRule nameRule;
  private final boolean namespaced;

  public MetadataRules(NameRule nameRule, boolean namespaced) {
    this.nameRule = nameRule;
    this.namespaced = namespaced;
  }

  public void onCreate(ObjectNode object, FieldErrors errors) {
    FieldPath metadata = FieldPath.of("metadata");
    String name = object.path("metadata").path("name").asText();
    if (name.isEmpty()) {
      errors.required(metadata.child("name"), "name or generateName is required");
    } else {
      nameRule.problems(name).forEach(text -> errors.invalid(metadata.child("name"), name, text));
    }
    if (namespaced && object.path("metadata").path("namespace").asText().isEmpty()) {
      errors.required(metadata.child("namespace"), "");
    }
  }

  public void onUpdate(ObjectNode object, ObjectNode old, FieldErrors errors) {}
}
