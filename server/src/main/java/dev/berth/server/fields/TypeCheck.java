package dev.berth.server.fields;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.fields.TypedSchema.UnkeyedException;
import dev.berth.server.patch.GoFormat;
import dev.berth.server.schema.ObjectType;
import dev.berth.server.schema.ValueShape;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/// Checks a configuration against its type, with upstream's messages. Apply cannot merge unknown
/// fields, so they are errors and not warnings.
///
/// Errors have the form of upstream's structured-merge-diff, including Go's print of the value. The
/// check stops at the first unknown field of an object, as upstream's does.
final class TypeCheck {
  private final List<String> errors = new ArrayList<>();
  private final UnaryOperator<String> advice;

  private TypeCheck(UnaryOperator<String> advice) {
    this.advice = advice;
  }

  /// Returns the errors as one text; empty when there are none.
  static String errors(ObjectType type, ObjectNode config) {
    return errors(type, config, _ -> "");
  }

  /// The errors as one text; empty when there are none.
  ///
  /// @param advice text after the error of an unknown field, by its path
  static String errors(ObjectType type, ObjectNode config, UnaryOperator<String> advice) {
    TypeCheck check = new TypeCheck(advice);
    check.named(TypedSchema.of(type), config, "");
    return switch (check.errors.size()) {
      case 0 -> "";
      case 1 -> check.errors.getFirst();
      default -> "errors:\n  " + String.join("\n  ", check.errors);
    };
  }

  private void value(TypedSchema typed, JsonNode value, String path) {
    if (value.isNull()) {
      return;
    }
    switch (typed.shape()) {
      case ValueShape.Scalar scalar -> scalar(scalar, value, path);
      case ValueShape.ListOf _ -> {
        if (value.isArray()) {
          items(typed, value, path);
        } else {
          error(path, "expected list, got &{" + GoFormat.plain(value) + "}");
        }
      }
      case ValueShape.MapOf _, ValueShape.Struct _ -> {
        if (value.isObject()) {
          named(typed, value, path);
        } else {
          error(path, "expected map, got &{" + GoFormat.plain(value) + "}");
        }
      }
    }
  }

  private void scalar(ValueShape.Scalar scalar, JsonNode value, String path) {
    switch (scalar) {
      case STRING, BYTES -> {
        if (!value.isTextual()) {
          String shown = "&value.valueUnstructured{Value:" + GoFormat.syntax(value) + "}";
          error(path, "expected string, got " + shown);
        }
      }
      case INT32, INT64 -> {
        if (!value.isNumber()) {
          error(path, "expected numeric (int or float), got " + GoFormat.type(value));
        }
      }
      case BOOL -> {
        if (!value.isBoolean()) {
          error(path, "expected boolean, got &{" + GoFormat.plain(value) + "}");
        }
      }
      case TIME, MICRO_TIME, QUANTITY, INT_OR_STRING -> {
        if (value.isContainerNode()) {
          error(path, "expected any scalar, got &{" + GoFormat.plain(value) + "}");
        }
      }
      case FIELDS, RAW -> {}
    }
  }

  private void items(TypedSchema list, JsonNode array, String path) {
    boolean keyed = !list.isLeaf();
    Set<PathElement> seen = new HashSet<>();
    int index = 0;
    for (JsonNode item : array) {
      PathElement step = new PathElement.Index(index);
      if (keyed) {
        try {
          step = list.stepTo(item);
        } catch (UnkeyedException e) {
          error(path, "element " + index + ": " + e.getMessage());
          return;
        }
        if (!seen.add(step)) {
          error(path, "duplicate entries for key " + step);
        }
      }
      value(list.element(), item, path + step);
      index++;
    }
  }

  private void named(TypedSchema typed, JsonNode object, String path) {
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      TypedSchema part = typed.named(entry.getKey());
      String inner = path + "." + entry.getKey();
      if (part == null) {
        error(inner, "field not declared in schema" + advice.apply(inner.substring(1)));
        return;
      }
      value(part, entry.getValue(), inner);
    }
  }

  private void error(String path, String text) {
    errors.add(path + ": " + text);
  }
}
