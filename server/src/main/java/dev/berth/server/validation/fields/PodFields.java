package dev.berth.server.validation.fields;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import java.util.Map;

/// Reads fields of normalized objects; absent fields read as empty.
///
/// Lists are read with `path`, which returns an empty node for an absent field.
public final class PodFields {
  private PodFields() {}

  public static String text(JsonNode object, String field) {
    JsonNode value = object.get(field);
    // Not `asText`: a value of a wrong type was refused by the decoder, and a missing one must not
    // read as the word `null`.
    return value != null && value.isTextual() ? value.textValue() : "";
  }

  /// Returns whether the field is present, even if it is empty.
  public static boolean has(JsonNode object, String field) {
    JsonNode value = object.get(field);
    return value != null && !value.isNull();
  }

  public static boolean isTrue(JsonNode object, String field) {
    JsonNode value = object.get(field);
    return value != null && value.booleanValue();
  }

  public static long number(JsonNode object, String field) {
    JsonNode value = object.get(field);
    return value == null ? 0 : value.longValue();
  }

  public static boolean isInList(JsonNode list, String text) {
    for (int i = 0; i < list.size(); i++) {
      if (text.equals(list.get(i).textValue())) {
        return true;
      }
    }
    return false;
  }

  /// A map of labels, as objects carry them and node selectors ask for them.
  public static void labels(JsonNode labels, FieldPath path, FieldErrors errors) {
    if (!(labels instanceof ObjectNode map)) {
      return;
    }
    for (Map.Entry<String, JsonNode> label : map.properties()) {
      errors.invalid(path, label.getKey(), NameRules.qualifiedName(label.getKey()));
      String value = label.getValue().asText();
      errors.invalid(path, value, NameRules.labelValue(value));
    }
  }

  /// Checks an optional name of another object.
  public static void subdomain(JsonNode object, String field, FieldPath path, FieldErrors errors) {
    String name = text(object, field);
    if (!name.isEmpty()) {
      errors.invalid(path.child(field), name, NameRules.dns1123Subdomain(name));
    }
  }

  /// Checks an optional label of a host name.
  public static void label(JsonNode object, String field, FieldPath path, FieldErrors errors) {
    String name = text(object, field);
    if (!name.isEmpty()) {
      errors.invalid(path.child(field), name, NameRules.dns1123Label(name));
    }
  }

  public static void required(JsonNode object, String field, FieldPath path, FieldErrors errors) {
    if (text(object, field).isEmpty()) {
      errors.required(path.child(field), "");
    }
  }

  public static void notNegative(
      JsonNode object, String field, FieldPath path, FieldErrors errors) {
    long value = number(object, field);
    if (value < 0) {
      errors.invalid(path.child(field), value, CommonChecks.NOT_NEGATIVE);
    }
  }
}
