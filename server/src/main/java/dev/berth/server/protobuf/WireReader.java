package dev.berth.server.protobuf;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import dev.berth.server.json.JsonSyntaxException;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.json.ScalarForms;
import dev.berth.server.schema.ValueShape;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;

/// Reads single values; rejects a wire type that does not match the field.
///
/// Clients may send anything, so each method checks the wire type before it reads: a mismatch would
/// otherwise read a length as a number and lose its place in the message.
final class WireReader {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private WireReader() {}

  static JsonNode scalar(ValueShape.Scalar scalar, CodedInputStream in, int tag)
      throws IOException {
    return switch (scalar) {
      case STRING -> NODES.textNode(string(in, tag));
      case BYTES ->
          NODES.textNode(Base64.getEncoder().encodeToString(message(in, tag).toByteArray()));
      case INT32 -> NODES.numberNode((int) number(in, tag));
      case INT64 -> numberNode(number(in, tag));
      case BOOL -> NODES.booleanNode(number(in, tag) != 0);
      case TIME -> time(message(in, tag), false);
      case MICRO_TIME -> time(message(in, tag), true);
      case QUANTITY -> quantity(message(in, tag).newCodedInput());
      case INT_OR_STRING -> intOrString(message(in, tag).newCodedInput());
      case FIELDS, RAW -> json(message(in, tag).newCodedInput());
    };
  }

  /// The smallest node type for the number, like the JSON parser, so that trees compare equal
  /// independent of their encoding.
  static JsonNode numberNode(long value) {
    return value == (int) value ? NODES.numberNode((int) value) : NODES.numberNode(value);
  }

  /// The content of a message or of a bytes field.
  static ByteString message(CodedInputStream in, int tag) throws IOException {
    require(tag, WireFormat.WIRETYPE_LENGTH_DELIMITED);
    return in.readBytes();
  }

  static String string(CodedInputStream in, int tag) throws IOException {
    require(tag, WireFormat.WIRETYPE_LENGTH_DELIMITED);
    return in.readStringRequireUtf8();
  }

  static long number(CodedInputStream in, int tag) throws IOException {
    require(tag, WireFormat.WIRETYPE_VARINT);
    return in.readInt64();
  }

  private static void require(int tag, int wireType) throws InvalidProtocolBufferException {
    if (WireFormat.getTagWireType(tag) != wireType) {
      throw new InvalidProtocolBufferException(
          "field %d has wire type %d, expected %d"
              .formatted(
                  WireFormat.getTagFieldNumber(tag), WireFormat.getTagWireType(tag), wireType));
    }
  }

  /// An empty message is the zero time, which JSON has as null.
  private static JsonNode time(ByteString message, boolean isMicro) throws IOException {
    if (message.isEmpty()) {
      return NODES.nullNode();
    }
    long seconds = 0;
    long nanos = 0;
    CodedInputStream in = message.newCodedInput();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (WireFormat.getTagFieldNumber(tag)) {
        case 1 -> seconds = number(in, tag);
        case 2 -> nanos = number(in, tag);
        default -> in.skipField(tag);
      }
    }
    try {
      Instant instant = Instant.ofEpochSecond(seconds, nanos);
      return NODES.textNode(isMicro ? ScalarForms.microTime(instant) : ScalarForms.time(instant));
    } catch (DateTimeException | ArithmeticException e) {
      throw new InvalidProtocolBufferException("time out of range: " + seconds + " seconds");
    }
  }

  private static JsonNode quantity(CodedInputStream in) throws IOException {
    String text = "";
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (WireFormat.getTagFieldNumber(tag) == 1) {
        text = string(in, tag);
      } else {
        in.skipField(tag);
      }
    }
    return NODES.textNode(text.isEmpty() ? "0" : text);
  }

  private static JsonNode intOrString(CodedInputStream in) throws IOException {
    long type = 0;
    long number = 0;
    String text = "";
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (WireFormat.getTagFieldNumber(tag)) {
        case 1 -> type = number(in, tag);
        case 2 -> number = number(in, tag);
        case 3 -> text = string(in, tag);
        default -> in.skipField(tag);
      }
    }
    return type == 0 ? NODES.numberNode((int) number) : NODES.textNode(text);
  }

  /// Parses JSON inside of a message, such as managed fields and raw extensions.
  private static JsonNode json(CodedInputStream in) throws IOException {
    JsonNode tree = NODES.nullNode();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (WireFormat.getTagFieldNumber(tag) != 1) {
        in.skipField(tag);
        continue;
      }
      byte[] text = message(in, tag).toByteArray();
      try {
        tree = text.length == 0 ? NODES.nullNode() : JsonTrees.parse(text).tree();
      } catch (JsonSyntaxException e) {
        throw new InvalidProtocolBufferException("embedded JSON: " + e.getMessage());
      }
    }
    return tree;
  }
}
