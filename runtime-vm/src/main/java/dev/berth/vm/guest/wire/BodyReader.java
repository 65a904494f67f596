package dev.berth.vm.guest.wire;

import dev.berth.vm.guest.model.GuestExit;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/// Takes the values of a body one after the other, none longer than its bound.
public final class BodyReader {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}");
  private static final int NAME_BYTES = 200;
  private static final int HIGHEST_CODE = 255;
  private static final int HIGHEST_SIGNAL = 64;

  private final ByteBuffer body;

  public BodyReader(byte[] body) {
    this.body = ByteBuffer.wrap(body);
  }

  public int u8() {
    return require(1).get() & 0xFF;
  }

  public boolean bool() {
    return oneOf(u8(), 1) == 1;
  }

  /// A number from 0 to `highest`.
  public int oneOf(int value, int highest) {
    if (value < 0 || value > highest) {
      throw new ProtocolViolation("the value %d where 0 to %d can be".formatted(value, highest));
    }
    return value;
  }

  public int u16() {
    return require(Short.BYTES).getShort() & 0xFFFF;
  }

  public int i32() {
    return require(Integer.BYTES).getInt();
  }

  public long u32() {
    return i32() & 0xFFFFFFFFL;
  }

  public long i64() {
    return require(Long.BYTES).getLong();
  }

  /// A number without sign that fits a `long`.
  public long u64() {
    long value = i64();
    if (value < 0) {
      throw new ProtocolViolation("the number %s".formatted(Long.toUnsignedString(value)));
    }
    return value;
  }

  /// A number of statistics: too large is the largest, because it decides nothing.
  public long counter() {
    long value = i64();
    return value < 0 ? Long.MAX_VALUE : value;
  }

  public Instant time() {
    return Instant.ofEpochSecond(0, i64());
  }

  public GuestExit exit() {
    int code = oneOf(i32(), HIGHEST_CODE);
    int signal = oneOf(i32(), HIGHEST_SIGNAL);
    return new GuestExit(code, signal, bool(), time());
  }

  /// The id of a container or the name of a volume.
  public String name() {
    String name = new String(bytes(NAME_BYTES), StandardCharsets.ISO_8859_1);
    if (!NAME.matcher(name).matches()) {
      throw new ProtocolViolation("the name " + CleanText.of(name));
    }
    return name;
  }

  /// A text for people: characters that could disturb a terminal or a log are replaced.
  public String text(int bound) {
    return CleanText.of(new String(bytes(bound), StandardCharsets.UTF_8));
  }

  public byte[] bytes(int bound) {
    return take(count(bound, 1));
  }

  /// All that is left.
  public byte[] rest() {
    return take(body.remaining());
  }

  private byte[] take(int length) {
    byte[] bytes = new byte[length];
    body.get(bytes);
    return bytes;
  }

  /// A list of at most `bound` elements.
  ///
  /// @param bytesOfElement the fewest that an element can have
  public <T> List<T> list(int bound, int bytesOfElement, Function<BodyReader, T> element) {
    int count = count(bound, bytesOfElement);
    List<T> elements = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      elements.add(element.apply(this));
    }
    return elements;
  }

  public <T> Optional<T> optional(Function<BodyReader, T> value) {
    return bool() ? Optional.of(value.apply(this)) : Optional.empty();
  }

  /// Checks that the body ends here.
  ///
  /// @throws ProtocolViolation if something is left
  public void end() {
    if (body.hasRemaining()) {
      throw new ProtocolViolation("%d bytes after a body".formatted(body.remaining()));
    }
  }

  private int count(int bound, int bytesOfElement) {
    long count = u32();
    if (count > bound) {
      throw new ProtocolViolation("a length of %d where %d is the most".formatted(count, bound));
    }
    require(Math.multiplyExact((int) count, bytesOfElement));
    return (int) count;
  }

  private ByteBuffer require(int bytes) {
    if (body.remaining() < bytes) {
      throw new ProtocolViolation(
          "a body that ends %d bytes too early".formatted(bytes - body.remaining()));
    }
    return body;
  }
}
