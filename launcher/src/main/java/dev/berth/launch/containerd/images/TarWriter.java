package dev.berth.launch.containerd.images;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// Writes the types of tar entries that an image needs. Owners and times are zero, so that the same
/// content always gives the same digest.
final class TarWriter {
  private static final int BLOCK = 512;
  private static final char FILE = '0';
  private static final char SYMBOLIC_LINK = '2';
  private static final char DIRECTORY = '5';

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  TarWriter directory(String name) {
    return entry(name + "/", DIRECTORY, 0755, "", new byte[0]);
  }

  TarWriter file(String name, int mode, byte[] content) {
    return entry(name, FILE, mode, "", content);
  }

  TarWriter link(String name, String target) {
    return entry(name, SYMBOLIC_LINK, 0777, target, new byte[0]);
  }

  byte[] finish() {
    bytes.writeBytes(new byte[2 * BLOCK]);
    return bytes.toByteArray();
  }

  private TarWriter entry(String name, char type, int mode, String target, byte[] content) {
    byte[] header = new byte[BLOCK];
    put(header, 0, name);
    put(header, 100, octal(mode, 7));
    put(header, 108, octal(0, 7));
    put(header, 116, octal(0, 7));
    put(header, 124, octal(content.length, 11));
    put(header, 136, octal(0, 11));
    // The checksum counts its own field as blanks.
    put(header, 148, " ".repeat(8));
    header[156] = (byte) type;
    put(header, 157, target);
    put(header, 257, "ustar\00000");
    int sum = 0;
    for (byte octet : header) {
      sum += octet & 0xff;
    }
    put(header, 148, octal(sum, 6) + "\0 ");
    bytes.writeBytes(header);
    bytes.writeBytes(content);
    bytes.writeBytes(new byte[(BLOCK - content.length % BLOCK) % BLOCK]);
    return this;
  }

  private static void put(byte[] header, int offset, String text) {
    byte[] octets = text.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(octets, 0, header, offset, octets.length);
  }

  private static String octal(long value, int digits) {
    String text = Long.toOctalString(value);
    return String.format(Locale.ROOT, "%" + digits + "s", text).replace(' ', '0');
  }
}
