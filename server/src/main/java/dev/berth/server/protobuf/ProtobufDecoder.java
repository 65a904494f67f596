package dev.berth.server.protobuf;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.schema.ObjectType;
import dev.berth.server.schema.SchemaField;
import dev.berth.server.schema.ValueShape;
import java.io.IOException;
import java.util.Map;

/// Decodes messages to trees. Unknown field numbers are skipped; zero values stay in the tree until
/// normalization.
final class ProtobufDecoder {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final MessageLayouts layouts;

  ProtobufDecoder(MessageLayouts layouts) {
    this.layouts = layouts;
  }

  ObjectNode struct(ObjectType type, byte[] message) throws IOException {
    ObjectNode tree = JsonTrees.object();
    struct(layouts.of(type), CodedInputStream.newInstance(message), tree);
    return tree;
  }

  /// Adds to a tree that may have content: a message may be split into several parts.
  private void struct(MessageLayout layout, CodedInputStream in, ObjectNode tree)
      throws IOException {
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      int number = WireFormat.getTagFieldNumber(tag);
      SchemaField field = layout.field(number);
      Map<Integer, SchemaField> inner = layout.inlined(number);
      if (field != null && layout.isWrapped(field)) {
        tree.set(field.name(), wrapped(field.shape(), WireReader.message(in, tag).newCodedInput()));
      } else if (field != null) {
        field(field, tag, in, tree);
      } else if (inner != null) {
        inlined(inner, WireReader.message(in, tag).newCodedInput(), tree);
      } else {
        in.skipField(tag);
      }
    }
  }

  private void inlined(Map<Integer, SchemaField> fields, CodedInputStream in, ObjectNode tree)
      throws IOException {
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      SchemaField field = fields.get(WireFormat.getTagFieldNumber(tag));
      if (field == null) {
        in.skipField(tag);
      } else {
        field(field, tag, in, tree);
      }
    }
  }

  private void field(SchemaField field, int tag, CodedInputStream in, ObjectNode tree)
      throws IOException {
    JsonNode old = tree.get(field.name());
    switch (field.shape()) {
      case ValueShape.Scalar scalar -> tree.set(field.name(), WireReader.scalar(scalar, in, tag));
      case ValueShape.Struct(ObjectType type) -> {
        ObjectNode inner = old instanceof ObjectNode object ? object : tree.putObject(field.name());
        struct(layouts.of(type), WireReader.message(in, tag).newCodedInput(), inner);
      }
      case ValueShape.ListOf(ValueShape element) ->
          elements(
              element, tag, in, old instanceof ArrayNode list ? list : tree.putArray(field.name()));
      case ValueShape.MapOf(ValueShape element) ->
          entry(
              element,
              WireReader.message(in, tag).newCodedInput(),
              old instanceof ObjectNode map ? map : tree.putObject(field.name()));
    }
  }

  /// Reads one element, or several packed numbers.
  private void elements(ValueShape element, int tag, CodedInputStream in, ArrayNode list)
      throws IOException {
    boolean isPackable = element == ValueShape.Scalar.INT32 || element == ValueShape.Scalar.INT64;
    if (isPackable && WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED) {
      CodedInputStream packed = in.readBytes().newCodedInput();
      while (!packed.isAtEnd()) {
        list.add(WireReader.numberNode(packed.readInt64()));
      }
    } else {
      list.add(nested(element, tag, in));
    }
  }

  private void entry(ValueShape element, CodedInputStream in, ObjectNode map) throws IOException {
    String key = "";
    JsonNode value = null;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (WireFormat.getTagFieldNumber(tag)) {
        case 1 -> key = WireReader.string(in, tag);
        case 2 -> value = nested(element, tag, in);
        default -> in.skipField(tag);
      }
    }
    map.set(key, value == null ? zero(element) : value);
  }

  private JsonNode nested(ValueShape shape, int tag, CodedInputStream in) throws IOException {
    return switch (shape) {
      case ValueShape.Scalar scalar -> WireReader.scalar(scalar, in, tag);
      case ValueShape.Struct(ObjectType type) -> {
        ObjectNode tree = JsonTrees.object();
        struct(layouts.of(type), WireReader.message(in, tag).newCodedInput(), tree);
        yield tree;
      }
      case ValueShape.ListOf _, ValueShape.MapOf _ ->
          wrapped(shape, WireReader.message(in, tag).newCodedInput());
    };
  }

  /// The content of a message that only wraps a list or a map as field 1.
  private JsonNode wrapped(ValueShape shape, CodedInputStream in) throws IOException {
    JsonNode items = shape instanceof ValueShape.ListOf ? JsonTrees.array() : JsonTrees.object();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (WireFormat.getTagFieldNumber(tag) != 1) {
        in.skipField(tag);
      } else if (shape instanceof ValueShape.ListOf(ValueShape element)) {
        elements(element, tag, in, (ArrayNode) items);
      } else if (shape instanceof ValueShape.MapOf(ValueShape element)) {
        entry(element, WireReader.message(in, tag).newCodedInput(), (ObjectNode) items);
      }
    }
    return items;
  }

  private static JsonNode zero(ValueShape shape) {
    return switch (shape) {
      case ValueShape.Scalar scalar ->
          switch (scalar) {
            case STRING, BYTES -> NODES.textNode("");
            case INT32, INT64, INT_OR_STRING -> NODES.numberNode(0);
            case BOOL -> NODES.booleanNode(false);
            case QUANTITY -> NODES.textNode("0");
            case TIME, MICRO_TIME, FIELDS, RAW -> NODES.nullNode();
          };
      case ValueShape.ListOf _ -> NODES.arrayNode();
      case ValueShape.MapOf _, ValueShape.Struct _ -> NODES.objectNode();
    };
  }
}
