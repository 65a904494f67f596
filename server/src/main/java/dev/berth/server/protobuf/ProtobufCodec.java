package dev.berth.server.protobuf;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.berth.server.errors.ApiException;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.schema.ObjectSchema;
import dev.berth.server.schema.ObjectType;
import java.io.IOException;
import java.nio.ByteBuffer;

/// Encodes and decodes `application/vnd.kubernetes.protobuf`.
///
/// Objects are trees; the envelope contains `apiVersion` and `kind`, the object's own bytes do not.
///
/// The generated Go types of upstream define the encoding; here it follows from the field numbers
/// in the schema, without generated classes. Any number of threads may use one codec.
public final class ProtobufCodec {
  public static final String MEDIA_TYPE = "application/vnd.kubernetes.protobuf";
  public static final String WATCH_MEDIA_TYPE = MEDIA_TYPE + ";stream=watch";

  private static final byte[] NOTHING = {};

  private final ObjectType listMeta;
  private final ProtobufEncoder encoder;
  private final ProtobufDecoder decoder;

  public ProtobufCodec(ObjectSchema schema) {
    MessageLayouts layouts = new MessageLayouts();
    this.listMeta = schema.type("meta.v1.ListMeta");
    this.encoder = new ProtobufEncoder(layouts);
    this.decoder = new ProtobufDecoder(layouts);
  }

  /// Encodes one object in its envelope.
  ///
  /// @param object in normal form
  public byte[] encode(ObjectType type, ObjectNode object, String apiVersion, String kind) {
    return ProtobufEnvelope.seal(apiVersion, kind, sink -> encoder.struct(sink, 2, type, object));
  }

  /// Encodes the head of a list; the items follow one by one, then `listTail`.
  ///
  /// @param kind the list's kind, e.g. `PodList`
  /// @param itemBytes the length of all items together
  public byte[] listHead(ObjectNode metadata, String apiVersion, String kind, long itemBytes) {
    byte[] meta = ProtobufOutput.of(NOTHING, sink -> encoder.struct(sink, 1, listMeta, metadata));
    return ProtobufEnvelope.head(apiVersion, kind, meta, itemBytes);
  }

  /// Encodes one item of a list.
  public byte[] listItem(ObjectType itemType, ObjectNode item) {
    return ProtobufOutput.of(NOTHING, sink -> encoder.struct(sink, 2, itemType, item));
  }

  public byte[] listTail() {
    return ProtobufEnvelope.tail();
  }

  /// Encodes one watch event with its length prefix of four bytes.
  ///
  /// @param sealed the object in its own envelope, from `encode`
  public static byte[] watchFrame(String eventType, byte[] sealed) {
    byte[] event =
        ProtobufOutput.of(
            new byte[Integer.BYTES],
            sink -> {
              sink.string(1, eventType);
              sink.begin(2);
              sink.bytes(1, () -> sealed);
              sink.end();
            });
    ByteBuffer.wrap(event).putInt(event.length - Integer.BYTES);
    return event;
  }

  /// Decodes the envelope of a body; a body without one is a 400.
  public ProtobufEnvelope decode(byte[] body) {
    try {
      return ProtobufEnvelope.open(body);
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /// Decodes an object's own bytes to a tree that is not normalized; invalid bytes are a 400.
  public ObjectNode decodeObject(ObjectType type, byte[] raw) {
    try {
      return decoder.struct(type, raw);
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /// Decodes the object in an envelope, with the kind of the envelope.
  public ObjectNode decodeObject(ObjectType type, ProtobufEnvelope envelope) {
    ObjectNode object = JsonTrees.object();
    if (!envelope.kind().isEmpty()) {
      object.put("kind", envelope.kind());
    }
    if (!envelope.apiVersion().isEmpty()) {
      object.put("apiVersion", envelope.apiVersion());
    }
    object.setAll(decodeObject(type, envelope.raw()));
    return object;
  }

  private static ApiException unreadable(IOException cause) {
    String why =
        cause instanceof InvalidProtocolBufferException
            ? cause.getMessage()
            : "the message ends too early or is malformed";
    return ApiException.badRequest("the body of the request cannot be read as protobuf: " + why);
  }
}
