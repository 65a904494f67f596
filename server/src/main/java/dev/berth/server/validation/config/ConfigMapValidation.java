package dev.berth.server.validation.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.KindValidator;
import dev.berth.server.validation.fields.MetadataRules;
import dev.berth.server.validation.fields.NameRules;

/// The rules of ConfigMap.
///
/// Upstream's `ValidateConfigMap`. The limit keeps a whole object below the limit of etcd's
/// requests, with room for metadata; `immutable` is KEP-1412.
public final class ConfigMapValidation implements KindValidator {
  /// Upstream's limit of all values of a ConfigMap or Secret, in bytes.
  static final int MAX_SIZE = 1 << 20;

  private static final String FROZEN = "field is immutable when `immutable` is set";

  @Override
  public void onCreate(ObjectNode configMap, FieldErrors errors) {
    JsonNode data = configMap.path("data");
    JsonNode binary = configMap.path("binaryData");
    FieldPath path = FieldPath.of("data");
    long size = 0;
    for (var entry : data.properties()) {
      String key = entry.getKey();
      errors.invalid(path.key(key), key, NameRules.configMapKey(key));
      if (binary.has(key)) {
        errors.invalid(path.key(key), key, "duplicate of key present in binaryData");
      }
      size += MetadataRules.bytes(entry.getValue().asText());
    }
    size += checkBinary(binary, FieldPath.of("binaryData"), errors);
    if (size > MAX_SIZE) {
      errors.tooLong(FieldPath.ROOT.key(""), MAX_SIZE);
    }
  }

  /// Checks the keys and counts the bytes behind the base64 text.
  ///
  /// The length follows from the text, so a large Secret is not decoded only to be counted.
  static long checkBinary(JsonNode data, FieldPath path, FieldErrors errors) {
    long size = 0;
    for (var entry : data.properties()) {
      String key = entry.getKey();
      errors.invalid(path.key(key), key, NameRules.configMapKey(key));
      size += decodedLength(entry.getValue().asText());
    }
    return size;
  }

  private static long decodedLength(String base64) {
    int padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
    return base64.length() / 4 * 3L - padding;
  }

  @Override
  public void onUpdate(ObjectNode configMap, ObjectNode old, FieldErrors errors) {
    checkFrozen(configMap, old, errors, "data", "binaryData");
    onCreate(configMap, errors);
  }

  /// Once `immutable` is set, neither it nor the data change.
  static void checkFrozen(ObjectNode object, ObjectNode old, FieldErrors errors, String... fields) {
    if (!old.path("immutable").asBoolean()) {
      return;
    }
    if (!object.path("immutable").asBoolean()) {
      errors.forbidden(FieldPath.of("immutable"), FROZEN);
    }
    for (String field : fields) {
      if (!object.path(field).equals(old.path(field))) {
        errors.forbidden(FieldPath.of(field), FROZEN);
      }
    }
  }
}
