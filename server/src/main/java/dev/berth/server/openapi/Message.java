package dev.berth.server.openapi;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/// A protobuf message that is being written; empty strings and false are left out.
final class Message {
  private static final int TAG_AND_LENGTH = 20;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(64);

  Message string(int field, String value) {
    return value.isEmpty() ? this : write(value.length() * 3, out -> out.writeString(field, value));
  }

  Message bool(int field, boolean value) {
    return value ? write(1, out -> out.writeBool(field, true)) : this;
  }

  Message message(int field, Message value) {
    return write(value.bytes.size(), out -> out.writeByteArray(field, value.bytes.toByteArray()));
  }

  void writeTo(OutputStream out) throws IOException {
    bytes.writeTo(out);
  }

  private interface Writing {
    void into(CodedOutputStream out) throws IOException;
  }

  private Message write(int room, Writing writing) {
    try {
      CodedOutputStream out =
          CodedOutputStream.newInstance(bytes, Math.min(room + TAG_AND_LENGTH, 1 << 13));
      writing.into(out);
      out.flush();
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
