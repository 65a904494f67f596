package dev.berth.server.protobuf;

import com.google.protobuf.CodedOutputStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.function.Supplier;

/// The first walk: computes the length of every message, in the order of their starts.
///
/// Lengths are numbered in the order in which messages begin, because the second walk needs a
/// length at the beginning of its message; it is known only at the end of this walk.
final class LengthMeasure implements FieldSink {
  private record Open(int index, int field, int sizeOutside) {}

  private final Deque<Open> open = new ArrayDeque<>();
  private final Deque<byte[]> blobs = new ArrayDeque<>();
  private int[] lengths = new int[64];
  private int count;
  private int size;

  @Override
  public void string(int field, String value) {
    size += CodedOutputStream.computeStringSize(field, value);
  }

  @Override
  public void number(int field, long value) {
    size += CodedOutputStream.computeInt64Size(field, value);
  }

  @Override
  public void bool(int field, boolean value) {
    size += CodedOutputStream.computeBoolSize(field, value);
  }

  @Override
  public void bytes(int field, Supplier<byte[]> value) {
    byte[] blob = value.get();
    blobs.add(blob);
    size += CodedOutputStream.computeByteArraySize(field, blob);
  }

  @Override
  public void begin(int field) {
    if (count == lengths.length) {
      lengths = Arrays.copyOf(lengths, count * 2);
    }
    open.push(new Open(count++, field, size));
    size = 0;
  }

  @Override
  public void end() {
    Open message = open.pop();
    lengths[message.index()] = size;
    size +=
        message.sizeOutside()
            + CodedOutputStream.computeTagSize(message.field())
            + CodedOutputStream.computeUInt32SizeNoTag(size);
  }

  int size() {
    return size;
  }

  int[] lengths() {
    return lengths;
  }

  Deque<byte[]> blobs() {
    return blobs;
  }
}
