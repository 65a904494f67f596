package dev.berth.server.validation.volumes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.fields.LabelSelectorRules;
import dev.berth.server.validation.fields.NameRules;
import dev.berth.server.validation.fields.PodFields;
import java.util.List;
import java.util.Map;

/// The rules of claims that are made from a template together with the pod.
///
/// The claim is made by a controller after the pod; its mistakes must show when the pod is written.
///
/// Generic ephemeral volumes, KEP-1698.
final class VolumeClaimRules {
  private static final List<String> ACCESS_MODES =
      List.of("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod");
  private static final List<String> VOLUME_MODES = List.of("Block", "Filesystem");
  private static final List<String> METADATA = List.of("annotations", "labels");

  private final FieldPath path;
  private final FieldErrors errors;

  VolumeClaimRules(FieldPath path, FieldErrors errors) {
    this.path = path;
    this.errors = errors;
  }

  void validate(JsonNode ephemeral) {
    FieldPath at = path.child("volumeClaimTemplate");
    if (!(ephemeral.get("volumeClaimTemplate") instanceof ObjectNode template)) {
      errors.required(at, "");
      return;
    }
    metadata(template.path("metadata"), at.child("metadata"));
    spec(template.path("spec"), at.child("spec"));
  }

  /// Name and namespace of the claim follow from the pod.
  private void metadata(JsonNode metadata, FieldPath at) {
    for (Map.Entry<String, JsonNode> annotation : metadata.path("annotations").properties()) {
      String key = annotation.getKey();
      errors.invalid(at.child("annotations"), key, NameRules.qualifiedName(key));
    }
    PodFields.labels(metadata.path("labels"), at.child("labels"), errors);
    for (Map.Entry<String, JsonNode> field : metadata.properties()) {
      if (!METADATA.contains(field.getKey()) && !field.getValue().isNull()) {
        errors.forbidden(at.child(field.getKey()), "cannot be set");
      }
    }
  }

  private void spec(JsonNode spec, FieldPath at) {
    accessModes(spec.path("accessModes"), at.child("accessModes"));
    LabelSelectorRules.check(spec.path("selector"), at.child("selector"), errors);
    String storage = PodFields.text(spec.path("resources").path("requests"), "storage");
    FieldPath amount = at.child("resources").key("storage");
    if (storage.isEmpty()) {
      errors.required(amount, "");
    } else if (storage.equals("0") || storage.startsWith("-")) {
      errors.invalid(amount, storage, "must be greater than zero");
    }
    PodFields.subdomain(spec, "storageClassName", at, errors);
    String mode = PodFields.text(spec, "volumeMode");
    if (PodFields.has(spec, "volumeMode") && !VOLUME_MODES.contains(mode)) {
      errors.notSupportedInOrder(at.child("volumeMode"), mode, VOLUME_MODES);
    }
    dataSource(spec, "dataSource", at);
    dataSource(spec, "dataSourceRef", at);
  }

  private void accessModes(JsonNode modes, FieldPath at) {
    if (modes.isEmpty()) {
      errors.required(at, "at least 1 access mode is required");
    }
    boolean alone = PodFields.isInList(modes, "ReadWriteOncePod");
    boolean others = false;
    for (JsonNode mode : modes) {
      boolean known = ACCESS_MODES.contains(mode.asText());
      if (!known) {
        errors.notSupportedInOrder(at, mode.asText(), ACCESS_MODES);
      }
      others |= known && !mode.asText().equals("ReadWriteOncePod");
    }
    // KEP-2485: one pod only, which no other mode may widen.
    if (alone && others) {
      errors.forbidden(at, "may not use ReadWriteOncePod with other access modes");
    }
  }

  private void dataSource(JsonNode spec, String field, FieldPath at) {
    if (!(spec.get(field) instanceof ObjectNode source)) {
      return;
    }
    FieldPath here = at.child(field);
    PodFields.required(source, "name", here, errors);
    PodFields.required(source, "kind", here, errors);
    String kind = PodFields.text(source, "kind");
    if (PodFields.text(source, "apiGroup").isEmpty() && !kind.equals("PersistentVolumeClaim")) {
      errors.invalid(
          here, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup");
    }
    PodFields.subdomain(source, "apiGroup", here, errors);
    // KEP-3294; a data source in another namespace.
    PodFields.label(source, "namespace", here, errors);
  }
}
