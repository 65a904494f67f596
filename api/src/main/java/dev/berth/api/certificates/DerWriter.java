package dev.berth.api.certificates;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/// Writes the ASN.1 values of certificates and certificate requests in DER.
public final class DerWriter {
  private static final DateTimeFormatter UTC_TIME =
      DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'", Locale.ROOT);
  private static final DateTimeFormatter GENERALIZED_TIME =
      DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'", Locale.ROOT);

  private DerWriter() {}

  public static byte[] sequence(byte[]... elements) {
    return tagged(0x30, concatenation(elements));
  }

  public static byte[] sequence(List<byte[]> elements) {
    return sequence(elements.toArray(byte[][]::new));
  }

  public static byte[] set(byte[] element) {
    return tagged(0x31, element);
  }

  public static byte[] integer(BigInteger value) {
    return tagged(0x02, value.toByteArray());
  }

  public static byte[] booleanTrue() {
    return new byte[] {0x01, 0x01, (byte) 0xff};
  }

  public static byte[] octets(byte[] content) {
    return tagged(0x04, content);
  }

  /// A bit string.
  ///
  /// @param unused the number of unused bits at the end of the last byte
  public static byte[] bits(byte[] content, int unused) {
    return tagged(0x03, concatenation(new byte[] {(byte) unused}, content));
  }

  public static byte[] utf8(String text) {
    return tagged(0x0c, text.getBytes(StandardCharsets.UTF_8));
  }

  /// RFC 5280 4.1.2.5: two-digit years until 2049, four digits after.
  public static byte[] time(Instant instant) {
    ZonedDateTime time = instant.atZone(ZoneOffset.UTC);
    return time.getYear() < 2050
        ? tagged(0x17, time.format(UTC_TIME).getBytes(StandardCharsets.US_ASCII))
        : tagged(0x18, time.format(GENERALIZED_TIME).getBytes(StandardCharsets.US_ASCII));
  }

  public static byte[] oid(String dotted) {
    String[] parts = dotted.split("\\.", -1);
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    content.write(40 * Integer.parseInt(parts[0]) + Integer.parseInt(parts[1]));
    for (int i = 2; i < parts.length; i++) {
      writeBase128(content, Integer.parseInt(parts[i]));
    }
    return tagged(0x06, content.toByteArray());
  }

  private static void writeBase128(ByteArrayOutputStream out, int number) {
    for (int shift = 28; shift > 0; shift -= 7) {
      // Leading zero groups are left out; every group but the last has its top bit set.
      if (number >>> shift != 0) {
        out.write((number >>> shift & 0x7f) | 0x80);
      }
    }
    out.write(number & 0x7f);
  }

  /// An explicitly tagged element, such as `[3]` around the extensions.
  public static byte[] explicit(int number, byte[] element) {
    return tagged(0xa0 | number, element);
  }

  /// An implicitly tagged primitive.
  public static byte[] implicit(int number, byte[] content) {
    return tagged(0x80 | number, content);
  }

  private static byte[] tagged(int tag, byte[] content) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(content.length + 5);
    out.write(tag);
    if (content.length < 0x80) {
      out.write(content.length);
    } else {
      byte[] length = BigInteger.valueOf(content.length).toByteArray();
      int start = length[0] == 0 ? 1 : 0;
      out.write(0x80 | (length.length - start));
      out.write(length, start, length.length - start);
    }
    out.writeBytes(content);
    return out.toByteArray();
  }

  private static byte[] concatenation(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }
}
