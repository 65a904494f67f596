package dev.berth.server.protobuf;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// The second walk: writes into an array of the measured size.
final class ProtobufOutput implements FieldSink {
  private final byte[] array;
  private final CodedOutputStream out;
  private final int[] lengths;
  private final Deque<byte[]> blobs;
  private int next;

  private ProtobufOutput(byte[] prefix, LengthMeasure measure) {
    this.array = new byte[prefix.length + measure.size()];
    System.arraycopy(prefix, 0, array, 0, prefix.length);
    this.out = CodedOutputStream.newInstance(array, prefix.length, measure.size());
    this.lengths = measure.lengths();
    this.blobs = measure.blobs();
  }

  /// Runs a walk twice.
  ///
  /// @param prefix bytes before the message
  static byte[] of(byte[] prefix, Consumer<FieldSink> walk) {
    LengthMeasure measure = new LengthMeasure();
    walk.accept(measure);
    ProtobufOutput output = new ProtobufOutput(prefix, measure);
    walk.accept(output);
    output.out.checkNoSpaceLeft();
    return output.array;
  }

  @Override
  public void string(int field, String value) {
    write(() -> out.writeString(field, value));
  }

  @Override
  public void number(int field, long value) {
    write(() -> out.writeInt64(field, value));
  }

  @Override
  public void bool(int field, boolean value) {
    write(() -> out.writeBool(field, value));
  }

  @Override
  public void bytes(int field, Supplier<byte[]> value) {
    write(() -> out.writeByteArray(field, blobs.remove()));
  }

  @Override
  public void begin(int field) {
    int length = lengths[next++];
    write(
        () -> {
          out.writeTag(field, WireFormat.WIRETYPE_LENGTH_DELIMITED);
          out.writeUInt32NoTag(length);
        });
  }

  @Override
  public void end() {}

  private interface Writing {
    void run() throws IOException;
  }

  private static void write(Writing writing) {
    try {
      writing.run();
    } catch (IOException e) {
      throw new UncheckedIOException("both walks must be alike", e);
    }
  }
}
