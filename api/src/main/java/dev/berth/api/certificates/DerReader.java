package dev.berth.api.certificates;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Reads ASN.1 values in DER in sequence, and refuses anything that is not strict DER.
///
/// Lenient reading would let one request have two meanings, one for this reader and one for the
/// program that verifies the certificate. Input comes from clients: every length is checked against
/// the data before it is used.
final class DerReader {
  static final int INTEGER = 0x02;
  static final int BIT_STRING = 0x03;
  static final int OCTET_STRING = 0x04;
  static final int OID = 0x06;
  static final int SEQUENCE = 0x30;
  static final int SET = 0x31;

  private final byte[] bytes;
  private final int end;
  private int position;

  DerReader(byte[] bytes) {
    this(bytes, 0, bytes.length);
  }

  private DerReader(byte[] bytes, int start, int end) {
    this.bytes = bytes;
    this.position = start;
    this.end = end;
  }

  /// A value with its tag.
  ///
  /// @param whole tag, length and content
  // The record holds an array; nothing compares these records.
  @SuppressWarnings("ArrayRecordComponent")
  record Value(int tag, byte[] content, byte[] whole) {
    /// A reader of the contained values.
    DerReader inside() {
      return new DerReader(content);
    }

    /// The bytes of a bit string whose length is a multiple of eight.
    byte[] bits() throws MalformedRequestException {
      if (content.length < 1 || content[0] != 0) {
        throw new MalformedRequestException("a bit string has odd bits");
      }
      return Arrays.copyOfRange(content, 1, content.length);
    }
  }

  boolean hasMore() {
    return position < end;
  }

  int peekTag() {
    return hasMore() ? bytes[position] & 0xff : -1;
  }

  Value next(int tag) throws MalformedRequestException {
    Value value = next();
    if (value.tag() != tag) {
      throw new MalformedRequestException(
          "tag 0x%02x where 0x%02x is expected".formatted(value.tag(), tag));
    }
    return value;
  }

  Value next() throws MalformedRequestException {
    int start = position;
    int tag = octet();
    if ((tag & 0x1f) == 0x1f) {
      throw new MalformedRequestException("tags of several bytes are not used");
    }
    int length = length();
    if (length > end - position) {
      throw new MalformedRequestException("a value is longer than the data");
    }
    byte[] content = Arrays.copyOfRange(bytes, position, position + length);
    position += length;
    return new Value(tag, content, Arrays.copyOfRange(bytes, start, position));
  }

  void requireEnd() throws MalformedRequestException {
    if (hasMore()) {
      throw new MalformedRequestException("data after the end");
    }
  }

  /// The remaining values, which must all have one tag.
  List<Value> all(int tag) throws MalformedRequestException {
    List<Value> values = new ArrayList<>();
    while (hasMore()) {
      values.add(next(tag));
    }
    return values;
  }

  private int octet() throws MalformedRequestException {
    if (!hasMore()) {
      throw new MalformedRequestException("the data ends too early");
    }
    return bytes[position++] & 0xff;
  }

  private int length() throws MalformedRequestException {
    int first = octet();
    if (first < 0x80) {
      return first;
    }
    int count = first & 0x7f;
    // Three bytes are 16 MiB, far above what a request may have.
    if (count == 0 || count > 3) {
      throw new MalformedRequestException("a length is indefinite or too large");
    }
    int length = 0;
    for (int i = 0; i < count; i++) {
      length = length << 8 | octet();
    }
    boolean shortest = length >= 0x80 && length >>> (8 * (count - 1)) != 0;
    if (!shortest) {
      throw new MalformedRequestException("a length is not in its shortest form");
    }
    return length;
  }
}
