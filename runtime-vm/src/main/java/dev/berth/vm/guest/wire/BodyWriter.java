package dev.berth.vm.guest.wire;

import dev.berth.api.Problem;
import dev.berth.vm.guest.model.GuestException;
import dev.berth.vm.guest.model.GuestException.FailureKind;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/// The values of a body, one after the other.
public final class BodyWriter {
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();

  public BodyWriter u8(int value) {
    body.write(value);
    return this;
  }

  public BodyWriter bool(boolean value) {
    return u8(value ? 1 : 0);
  }

  public BodyWriter u16(int value) {
    return u8(value >>> 8).u8(value);
  }

  public BodyWriter i32(int value) {
    return raw(ByteBuffer.allocate(Integer.BYTES).putInt(value).array());
  }

  public BodyWriter u32(long value) {
    return i32((int) value);
  }

  public BodyWriter i64(long value) {
    return raw(ByteBuffer.allocate(Long.BYTES).putLong(value).array());
  }

  public BodyWriter time(Instant time) {
    return i64(
        Math.addExact(Math.multiplyExact(time.getEpochSecond(), 1_000_000_000L), time.getNano()));
  }

  public BodyWriter bytes(byte[] value) {
    return u32(value.length).raw(value);
  }

  /// Without a length before it.
  public BodyWriter raw(byte[] value) {
    return raw(value, 0, value.length);
  }

  public BodyWriter raw(byte[] value, int from, int length) {
    if (length > WireFrame.MAXIMUM_BODY - body.size()) {
      throw invalid(
          "it has more than %d bytes".formatted(WireFrame.MAXIMUM_BODY), "Make it shorter");
    }
    body.write(value, from, length);
    return this;
  }

  public BodyWriter string(String value) {
    if (value.indexOf('\0') >= 0) {
      throw invalid("a text has a NUL character: " + value.replace('\0', '?'), "Remove it");
    }
    return bytes(value.getBytes(StandardCharsets.UTF_8));
  }

  /// A list, whose elements are written by `element`.
  public <T> BodyWriter list(List<T> values, BiConsumer<BodyWriter, T> element) {
    u32(values.size());
    values.forEach(value -> element.accept(this, value));
    return this;
  }

  public BodyWriter strings(List<String> values) {
    return list(values, BodyWriter::string);
  }

  public BodyWriter map(Map<String, String> values) {
    u32(values.size());
    values.forEach((key, value) -> string(key).string(value));
    return this;
  }

  public int size() {
    return body.size();
  }

  public byte[] toBytes() {
    return body.toByteArray();
  }

  private static GuestException invalid(String why, String remedy) {
    return new GuestException(
        FailureKind.INVALID, new Problem("the request cannot be sent to the guest", why, remedy));
  }
}
