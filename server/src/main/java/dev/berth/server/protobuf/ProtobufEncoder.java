package dev.berth.server.protobuf;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.schema.ObjectType;
import dev.berth.server.schema.SchemaField;
import dev.berth.server.schema.ValueShape;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;

/// Encodes normalized trees as messages. Every value in the tree is written, also zero, because
/// absence differs from zero for many fields.
///
/// The encoder writes fields in the order of the tree. Decoders accept any order, and Berth never
/// compares encoded bytes.
final class ProtobufEncoder {
  private final MessageLayouts layouts;

  ProtobufEncoder(MessageLayouts layouts) {
    this.layouts = layouts;
  }

  void struct(FieldSink sink, int number, ObjectType type, JsonNode tree) {
    sink.begin(number);
    // Iterates over the object, because types have many more fields than objects; readers accept
    // any order.
    MessageLayout layout = layouts.of(type);
    fields(sink, layout, 0, tree);
    for (int inlined : layout.inlinedMessages()) {
      if (layout.hasAny(inlined, tree)) {
        sink.begin(inlined);
        fields(sink, layout, inlined, tree);
        sink.end();
      }
    }
    sink.end();
  }

  private void fields(FieldSink sink, MessageLayout layout, int inlinedIn, JsonNode tree) {
    for (Map.Entry<String, JsonNode> entry : tree.properties()) {
      SchemaField field = layout.field(entry.getKey());
      JsonNode value = entry.getValue();
      if (field == null || field.inlinedIn() != inlinedIn || value.isNull()) {
        continue;
      }
      if (layout.isWrapped(field)) {
        wrapped(sink, field.number(), field.shape(), value);
      } else {
        value(sink, field.number(), field.shape(), value);
      }
    }
  }

  private void value(FieldSink sink, int number, ValueShape shape, JsonNode value) {
    switch (shape) {
      case ValueShape.Scalar scalar -> scalar(sink, number, scalar, value);
      case ValueShape.Struct(ObjectType type) -> struct(sink, number, type, value);
      case ValueShape.ListOf(ValueShape element) -> {
        for (JsonNode one : value) {
          nested(sink, number, element, one);
        }
      }
      case ValueShape.MapOf(ValueShape element) -> {
        for (Map.Entry<String, JsonNode> entry : value.properties()) {
          sink.begin(number);
          sink.string(1, entry.getKey());
          nested(sink, 2, element, entry.getValue());
          sink.end();
        }
      }
    }
  }

  /// A list inside of a list or map is wrapped in a message.
  private void nested(FieldSink sink, int number, ValueShape shape, JsonNode value) {
    if (shape instanceof ValueShape.ListOf || shape instanceof ValueShape.MapOf) {
      wrapped(sink, number, shape, value);
    } else {
      value(sink, number, shape, value);
    }
  }

  private void wrapped(FieldSink sink, int number, ValueShape shape, JsonNode value) {
    sink.begin(number);
    value(sink, 1, shape, value);
    sink.end();
  }

  private static void scalar(FieldSink sink, int number, ValueShape.Scalar scalar, JsonNode value) {
    switch (scalar) {
      case STRING -> sink.string(number, value.asText());
      case BYTES -> sink.bytes(number, () -> Base64.getDecoder().decode(value.asText()));
      case INT32, INT64 -> sink.number(number, value.longValue());
      case BOOL -> sink.bool(number, value.booleanValue());
      case TIME, MICRO_TIME -> time(sink, number, Instant.parse(value.asText()));
      case QUANTITY -> {
        sink.begin(number);
        sink.string(1, value.asText());
        sink.end();
      }
      case INT_OR_STRING -> intOrString(sink, number, value);
      case FIELDS, RAW -> {
        sink.begin(number);
        sink.bytes(1, () -> JsonTrees.bytes(value));
        sink.end();
      }
    }
  }

  private static void time(FieldSink sink, int number, Instant instant) {
    sink.begin(number);
    sink.number(1, instant.getEpochSecond());
    sink.number(2, instant.getNano());
    sink.end();
  }

  /// Upstream's message has all three fields always: the type, the number and the string.
  private static void intOrString(FieldSink sink, int number, JsonNode value) {
    sink.begin(number);
    sink.number(1, value.isTextual() ? 1 : 0);
    sink.number(2, value.isTextual() ? 0 : value.intValue());
    sink.string(3, value.isTextual() ? value.textValue() : "");
    sink.end();
  }
}
