package dev.berth.server.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.schema.ObjectType;
import dev.berth.server.schema.SchemaField;
import dev.berth.server.schema.ValueShape;
import java.util.List;
import java.util.Map;

/// Converts a tree to the normal form of its type: the result of upstream's typed decoding and
/// encoding.
///
/// Unknown fields are dropped and reported, `null` means absent, empty values without meaning are
/// omitted, plain objects are always present, times and quantities are canonical.
///
/// Two writes with the same meaning so have the same tree: comparison, managed fields and stored
/// bytes depend on it. The input is not changed. An instance serves one document.
public final class TreeNormalizer {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final List<String> unknownFields;

  /// A normalizer for one document.
  ///
  /// @param unknownFields receives the path of every field that the type does not have
  public TreeNormalizer(List<String> unknownFields) {
    this.unknownFields = unknownFields;
  }

  public ObjectNode normalize(ObjectType type, ObjectNode tree) throws WrongTypeException {
    return struct(type, tree, "");
  }

  private ObjectNode struct(ObjectType type, ObjectNode tree, String path)
      throws WrongTypeException {
    ObjectNode normal = NODES.objectNode();
    for (Map.Entry<String, JsonNode> entry : tree.properties()) {
      SchemaField field = type.field(entry.getKey());
      String child = path.isEmpty() ? entry.getKey() : path + "." + entry.getKey();
      if (field == null) {
        unknownFields.add(child);
      } else if (!entry.getValue().isNull()) {
        JsonNode value = value(type, field.shape(), entry.getValue(), child);
        if (!leftOut(field, value)) {
          normal.set(field.name(), value);
        }
      }
    }
    addAlwaysPresent(type, normal, path);
    return normal;
  }

  /// These are the rules of Go's `omitempty`: an empty list or map and the zero value of a plain
  /// scalar are left out; a struct never is, and a pointer only when it is absent.
  private static boolean leftOut(SchemaField field, JsonNode value) {
    return field.omitEmpty()
        && !(field.shape() instanceof ValueShape.Struct)
        && (value.isContainerNode() ? value.isEmpty() : !field.pointer() && isZero(value));
  }

  private static boolean isZero(JsonNode value) {
    return switch (value.getNodeType()) {
      case STRING -> value.textValue().isEmpty();
      case NUMBER -> value.decimalValue().signum() == 0;
      case BOOLEAN -> !value.booleanValue();
      default -> false;
    };
  }

  /// Go prints a plain struct and a field without `omitempty` even if nobody set it.
  private void addAlwaysPresent(ObjectType type, ObjectNode normal, String path)
      throws WrongTypeException {
    for (SchemaField field : type.fields()) {
      if (field.pointer() || normal.has(field.name())) {
        continue;
      }
      if (field.shape() instanceof ValueShape.Struct(ObjectType inner)) {
        normal.set(field.name(), struct(inner, NODES.objectNode(), path));
      } else if (field.shape() == ValueShape.Scalar.TIME
          || field.shape() == ValueShape.Scalar.MICRO_TIME) {
        normal.set(field.name(), NODES.nullNode());
      } else if (!field.omitEmpty()) {
        normal.set(field.name(), zero(field.shape()));
      }
    }
  }

  private static JsonNode zero(ValueShape shape) {
    return switch (shape) {
      case ValueShape.Scalar scalar ->
          switch (scalar) {
            case STRING -> NODES.textNode("");
            case INT32, INT64, INT_OR_STRING -> NODES.numberNode(0);
            case BOOL -> NODES.booleanNode(false);
            case QUANTITY -> NODES.textNode("0");
            case BYTES, TIME, MICRO_TIME, FIELDS, RAW -> NODES.nullNode();
          };
      case ValueShape.ListOf _, ValueShape.MapOf _ -> NODES.nullNode();
      case ValueShape.Struct _ -> NODES.objectNode();
    };
  }

  private JsonNode value(ObjectType owner, ValueShape shape, JsonNode value, String path)
      throws WrongTypeException {
    return switch (shape) {
      case ValueShape.Scalar scalar -> ScalarForms.normalize(owner, scalar, value, path);
      case ValueShape.ListOf(ValueShape element) -> list(owner, shape, element, value, path);
      case ValueShape.MapOf(ValueShape element) -> map(owner, shape, element, value, path);
      case ValueShape.Struct(ObjectType type) -> {
        if (value instanceof ObjectNode object) {
          yield struct(type, object, path);
        }
        throw ScalarForms.mismatch(owner, shape, value, path);
      }
    };
  }

  private JsonNode list(
      ObjectType owner, ValueShape shape, ValueShape element, JsonNode value, String path)
      throws WrongTypeException {
    if (!value.isArray()) {
      throw ScalarForms.mismatch(owner, shape, value, path);
    }
    ArrayNode normal = NODES.arrayNode(value.size());
    for (int i = 0; i < value.size(); i++) {
      JsonNode item = value.get(i);
      normal.add(
          item.isNull()
              ? element instanceof ValueShape.Struct(ObjectType type)
                  ? struct(type, NODES.objectNode(), path)
                  : zero(element)
              : value(owner, element, item, path + "[" + i + "]"));
    }
    return normal;
  }

  private JsonNode map(
      ObjectType owner, ValueShape shape, ValueShape element, JsonNode value, String path)
      throws WrongTypeException {
    if (!value.isObject()) {
      throw ScalarForms.mismatch(owner, shape, value, path);
    }
    ObjectNode normal = NODES.objectNode();
    for (Map.Entry<String, JsonNode> entry : value.properties()) {
      normal.set(
          entry.getKey(),
          entry.getValue().isNull()
              ? zero(element)
              : value(owner, element, entry.getValue(), path + "." + entry.getKey()));
    }
    return normal;
  }
}
