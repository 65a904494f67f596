package dev.berth.server.fields;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.JsonTrees;
import java.util.Iterator;
import java.util.Map;

/// Equality and order of JSON values, in which `1` and `1.0` are the same number, and copies.
final class JsonValues {
  private JsonValues() {}

  /// A shallow copy: changing its fields does not change the original.
  static ObjectNode shallowCopy(JsonNode object) {
    ObjectNode copy = JsonTrees.object();
    object.properties().forEach(field -> copy.set(field.getKey(), field.getValue()));
    return copy;
  }

  // Unchanged parts are often identical nodes.
  @SuppressWarnings("ReferenceEquality")
  static boolean equal(JsonNode left, JsonNode right) {
    if (left == right) {
      return true;
    }
    if (left.getNodeType() != right.getNodeType()) {
      return false;
    }
    return switch (left.getNodeType()) {
      case NUMBER -> compareNumbers(left, right) == 0;
      case OBJECT -> equalObjects(left, right);
      case ARRAY -> equalArrays(left, right);
      default -> left.equals(right);
    };
  }

  private static boolean equalObjects(JsonNode left, JsonNode right) {
    if (left.size() != right.size()) {
      return false;
    }
    for (Map.Entry<String, JsonNode> field : left.properties()) {
      JsonNode other = right.get(field.getKey());
      if (other == null || !equal(field.getValue(), other)) {
        return false;
      }
    }
    return true;
  }

  private static boolean equalArrays(JsonNode left, JsonNode right) {
    if (left.size() != right.size()) {
      return false;
    }
    for (int i = 0; i < left.size(); i++) {
      if (!equal(left.get(i), right.get(i))) {
        return false;
      }
    }
    return true;
  }

  /// Numbers before strings before booleans before lists before maps before null.
  ///
  /// The order is that of upstream's structured-merge-diff. It decides the order of set elements
  /// and list keys in `fieldsV1`, and so the stored bytes.
  static int compare(JsonNode left, JsonNode right) {
    int order = Integer.compare(rank(left.getNodeType()), rank(right.getNodeType()));
    if (order != 0) {
      return order;
    }
    return switch (left.getNodeType()) {
      case NUMBER -> compareNumbers(left, right);
      case STRING -> left.textValue().compareTo(right.textValue());
      case BOOLEAN -> Boolean.compare(left.booleanValue(), right.booleanValue());
      case ARRAY -> compareArrays(left, right);
      case OBJECT -> equal(left, right) ? 0 : left.toString().compareTo(right.toString());
      default -> 0;
    };
  }

  private static int rank(JsonNodeType type) {
    return switch (type) {
      case NUMBER -> 0;
      case STRING -> 1;
      case BOOLEAN -> 2;
      case ARRAY -> 3;
      case OBJECT -> 4;
      default -> 5;
    };
  }

  private static int compareNumbers(JsonNode left, JsonNode right) {
    return left.canConvertToLong() && right.canConvertToLong() && isWhole(left) && isWhole(right)
        ? Long.compare(left.longValue(), right.longValue())
        : left.decimalValue().compareTo(right.decimalValue());
  }

  private static boolean isWhole(JsonNode number) {
    return number.isIntegralNumber();
  }

  private static int compareArrays(JsonNode left, JsonNode right) {
    Iterator<JsonNode> others = right.iterator();
    for (JsonNode item : left) {
      if (!others.hasNext()) {
        return 1;
      }
      int order = compare(item, others.next());
      if (order != 0) {
        return order;
      }
    }
    return others.hasNext() ? -1 : 0;
  }
}
