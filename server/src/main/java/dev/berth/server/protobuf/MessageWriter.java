package dev.berth.server.protobuf;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/// Writes a protobuf message field by field.
///
/// It copies inner messages, which is fine for small documents such as the protobuf form of
/// OpenAPI; objects use the two walks of `FieldSink`.
public final class MessageWriter {
  private static final int BUFFER = 256;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final CodedOutputStream out = CodedOutputStream.newInstance(bytes, BUFFER);

  /// Writes a string, also an empty one.
  public MessageWriter string(int field, String value) {
    return write(() -> out.writeString(field, value));
  }

  /// Writes a string unless it is empty.
  public MessageWriter text(int field, String value) {
    return value.isEmpty() ? this : string(field, value);
  }

  public MessageWriter bytes(int field, byte[] value) {
    return write(() -> out.writeByteArray(field, value));
  }

  public MessageWriter bool(int field, boolean value) {
    return write(() -> out.writeBool(field, value));
  }

  /// Writes an int32 or int64, which have the same encoding.
  public MessageWriter number(int field, long value) {
    return write(() -> out.writeInt64(field, value));
  }

  public MessageWriter message(int field, MessageWriter value) {
    return bytes(field, value.toByteArray());
  }

  public boolean isEmpty() {
    return out.getTotalBytesWritten() == 0;
  }

  public byte[] toByteArray() {
    write(out::flush);
    return bytes.toByteArray();
  }

  private interface Writing {
    void run() throws IOException;
  }

  private MessageWriter write(Writing writing) {
    try {
      writing.run();
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory failed", e);
    }
  }
}
