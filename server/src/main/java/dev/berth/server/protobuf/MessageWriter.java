package dev.berth.server.protobuf;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/// A protobuf message that is being written, field by field.
public final class MessageWriter {
  private static final int BUFFER = 256;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final CodedOutputStream out = CodedOutputStream.newInstance(bytes, BUFFER);

  /// A string, the empty one included.
  public MessageWriter string(int field, String value) {
    return write(() -> out.writeString(field, value));
  }

  /// A string, left out when it is empty.
  public MessageWriter text(int field, String value) {
    return value.isEmpty() ? this : string(field, value);
  }

  public MessageWriter bytes(int field, byte[] value) {
    return write(() -> out.writeByteArray(field, value));
  }

  public MessageWriter bool(int field, boolean value) {
    return write(() -> out.writeBool(field, value));
  }

  /// An int32 or int64: both are written alike.
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
