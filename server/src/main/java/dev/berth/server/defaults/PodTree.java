package dev.berth.server.defaults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.Consumer;

/// Reads and sets fields of normalized trees.
///
/// The methods take the absence of a field and its zero value as the same where Go does, and
/// differently where the field is a pointer in upstream's types.
final class PodTree {
  private PodTree() {}

  /// The text of a field; empty when it is absent.
  static String text(JsonNode object, String field) {
    JsonNode value = object.get(field);
    return value != null && value.isTextual() ? value.textValue() : "";
  }

  /// Sets a text that is absent or empty.
  static void text(ObjectNode object, String field, String value) {
    if (text(object, field).isEmpty()) {
      object.put(field, value);
    }
  }

  /// Sets a number that is absent or zero.
  static void number(ObjectNode object, String field, int value) {
    JsonNode present = object.get(field);
    if (present == null || present.asInt() == 0) {
      object.put(field, value);
    }
  }

  /// Sets a number that is absent; zero counts as a value.
  static void absentNumber(ObjectNode object, String field, int value) {
    if (!object.hasNonNull(field)) {
      object.put(field, value);
    }
  }

  static void absentText(ObjectNode object, String field, String value) {
    if (!object.hasNonNull(field)) {
      object.put(field, value);
    }
  }

  /// Visits the field if it holds an object.
  static void object(JsonNode parent, String field, Consumer<ObjectNode> visitor) {
    if (parent.get(field) instanceof ObjectNode object) {
      visitor.accept(object);
    }
  }

  /// Visits the objects in a list; an absent list is empty.
  static void each(JsonNode parent, String field, Consumer<ObjectNode> visitor) {
    JsonNode list = parent.get(field);
    if (list == null || !list.isArray()) {
      return;
    }
    for (int i = 0; i < list.size(); i++) {
      if (list.get(i) instanceof ObjectNode object) {
        visitor.accept(object);
      }
    }
  }
}
