package dev.berth.server.protobuf;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;

/// The envelope of every object: four magic bytes, the kind and the object's bytes.
///
/// Upstream calls it `runtime.Unknown`. The bytes are shared, not copied.
public final class ProtobufEnvelope {
  private static final byte[] MAGIC = {'k', '8', 's', 0};

  private final String apiVersion;
  private final String kind;
  private final byte[] raw;
  private final String contentType;

  private ProtobufEnvelope(String apiVersion, String kind, byte[] raw, String contentType) {
    this.apiVersion = apiVersion;
    this.kind = kind;
    this.raw = raw;
    this.contentType = contentType;
  }

  /// Empty when absent.
  public String apiVersion() {
    return apiVersion;
  }

  /// Empty when the client left it out.
  public String kind() {
    return kind;
  }

  public byte[] raw() {
    return raw;
  }

  /// Empty for protobuf; `application/json` when the object inside is JSON.
  public String contentType() {
    return contentType;
  }

  /// Writes an envelope.
  ///
  /// @param object writes the object as field 2
  static byte[] seal(String apiVersion, String kind, Consumer<FieldSink> object) {
    return ProtobufOutput.of(
        MAGIC,
        sink -> {
          type(sink, apiVersion, kind);
          object.accept(sink);
          end(sink);
        });
  }

  private static void type(FieldSink sink, String apiVersion, String kind) {
    sink.begin(1);
    sink.string(1, apiVersion);
    sink.string(2, kind);
    sink.end();
  }

  /// Upstream's encoder writes both empty fields, `contentEncoding` and `contentType`.
  private static void end(FieldSink sink) {
    sink.string(3, "");
    sink.string(4, "");
  }

  /// The head of an envelope whose object is written in pieces.
  ///
  /// @param first the first piece, included in the result
  /// @param more number of bytes of the object that follow
  static byte[] head(String apiVersion, String kind, byte[] first, long more) {
    byte[] start = ProtobufOutput.of(MAGIC, sink -> type(sink, apiVersion, kind));
    long length = first.length + more;
    int tag = 2 << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;
    ByteBuffer head =
        ByteBuffer.allocate(
            start.length
                + CodedOutputStream.computeUInt32SizeNoTag(tag)
                + CodedOutputStream.computeUInt64SizeNoTag(length)
                + first.length);
    head.put(start);
    try {
      CodedOutputStream out = CodedOutputStream.newInstance(head);
      out.writeUInt32NoTag(tag);
      out.writeUInt64NoTag(length);
      out.writeRawBytes(first);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("the head has another size", e);
    }
    return head.array();
  }

  /// The tail of an envelope whose object was written in pieces.
  static byte[] tail() {
    return ProtobufOutput.of(new byte[0], ProtobufEnvelope::end);
  }

  static ProtobufEnvelope open(byte[] body) throws IOException {
    if (body.length < MAGIC.length
        || !Arrays.equals(body, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
      throw new InvalidProtocolBufferException(
          "provided data does not appear to be a protobuf message, expected prefix"
              + " [107 56 115 0]");
    }
    EnvelopeFields fields = new EnvelopeFields();
    CodedInputStream in =
        CodedInputStream.newInstance(body, MAGIC.length, body.length - MAGIC.length);
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (WireFormat.getTagFieldNumber(tag)) {
        case 1 -> fields.readType(WireReader.message(in, tag).newCodedInput());
        case 2 -> fields.raw = WireReader.message(in, tag).toByteArray();
        case 4 -> fields.contentType = WireReader.string(in, tag);
        default -> in.skipField(tag);
      }
    }
    return new ProtobufEnvelope(fields.apiVersion, fields.kind, fields.raw, fields.contentType);
  }

  /// The fields that have been read so far.
  private static final class EnvelopeFields {
    private String apiVersion = "";
    private String kind = "";
    private byte[] raw = {};
    private String contentType = "";

    private void readType(CodedInputStream in) throws IOException {
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        switch (WireFormat.getTagFieldNumber(tag)) {
          case 1 -> apiVersion = WireReader.string(in, tag);
          case 2 -> kind = WireReader.string(in, tag);
          default -> in.skipField(tag);
        }
      }
    }
  }
}
