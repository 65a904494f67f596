package dev.berth.server.validation.volumes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.containers.ContainerFieldRules;
import dev.berth.server.validation.fields.PodFields;
import dev.berth.server.validation.fields.VolumePathRules;

/// The rules of files that volumes are filled with.
final class VolumeFileRules {
  // Permissions only: neither setuid nor the sticky bit.
  private static final int MAX_MODE = 0777;

  private VolumeFileRules() {}

  static void mode(JsonNode owner, String field, FieldPath path, FieldErrors errors) {
    long mode = PodFields.number(owner, field);
    if (mode < 0 || mode > MAX_MODE) {
      errors.invalid(
          path.child(field), mode, "must be a number between 0 and 0777 (octal), both inclusive");
    }
  }

  static void keys(JsonNode items, FieldPath path, FieldErrors errors) {
    for (int i = 0; i < items.size(); i++) {
      key(items.get(i), path.index(i), errors);
    }
  }

  /// Checks a key of a ConfigMap or Secret and the file that it becomes.
  static void key(JsonNode item, FieldPath path, FieldErrors errors) {
    PodFields.required(item, "key", path, errors);
    PodFields.required(item, "path", path, errors);
    String target = PodFields.text(item, "path");
    VolumePathRules.descendingNotReserved(target, path.child("path"), errors);
    mode(item, "mode", path, errors);
  }

  /// Checks a file about the pod itself; errors are at the list, as upstream reports them.
  static void downward(JsonNode file, FieldPath path, FieldErrors errors) {
    PodFields.required(file, "path", path, errors);
    String target = PodFields.text(file, "path");
    VolumePathRules.descendingNotReserved(target, path.child("path"), errors);
    if (file.get("fieldRef") instanceof ObjectNode field) {
      ContainerFieldRules.field(
          field, ContainerFieldRules.IN_FILES, path.child("fieldRef"), errors);
      if (PodFields.has(file, "resourceFieldRef")) {
        errors.invalid(
            path, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously");
      }
    } else if (file.get("resourceFieldRef") instanceof ObjectNode resource) {
      ContainerFieldRules.resource(resource, true, path.child("resourceFieldRef"), errors);
    } else {
      errors.required(path, "one of fieldRef and resourceFieldRef is required");
    }
    mode(file, "mode", path, errors);
  }
}
