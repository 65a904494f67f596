package dev.berth.vm.images;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;

/// Writes tar files, honest and other ones. Strings are bytes, one Latin-1 character for each.
public final class TarBuilder {
  public static final int BLOCK = 512;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  /// Of entries that do not say otherwise.
  private int mode = 0644;

  private long uid;
  private long gid;
  private long mtime = 1_700_000_000;

  public TarBuilder mode(int value) {
    mode = value;
    return this;
  }

  public TarBuilder owner(long user, long group) {
    uid = user;
    gid = group;
    return this;
  }

  public TarBuilder mtime(long value) {
    mtime = value;
    return this;
  }

  public TarBuilder file(String name, String content) {
    return file(name, content.getBytes(StandardCharsets.ISO_8859_1));
  }

  public TarBuilder file(String name, byte[] content) {
    return entry('0', name, "", content);
  }

  public TarBuilder directory(String name) {
    return entry('5', name + "/", "", new byte[0]);
  }

  public TarBuilder symlink(String name, String target) {
    return entry('2', name, target, new byte[0]);
  }

  public TarBuilder hardLink(String name, String target) {
    return entry('1', name, target, new byte[0]);
  }

  public TarBuilder fifo(String name) {
    return entry('6', name, "", new byte[0]);
  }

  public TarBuilder device(char type, String name, int major, int minor) {
    byte[] header = header(type, name, "", 0);
    octal(header, 329, 8, major);
    octal(header, 337, 8, minor);
    return raw(withChecksum(header));
  }

  /// An extended header for the next entry.
  public TarBuilder pax(Map<String, String> records) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    new TreeMap<>(records)
        .forEach(
            (key, value) -> {
              byte[] rest = (" " + key + "=" + value + "\n").getBytes(StandardCharsets.ISO_8859_1);
              int length = rest.length + 1;
              while (String.valueOf(length).length() + rest.length != length) {
                length++;
              }
              content.writeBytes(String.valueOf(length).getBytes(StandardCharsets.US_ASCII));
              content.writeBytes(rest);
            });
    return entry('x', "pax", "", content.toByteArray());
  }

  /// An entry of any type; names that are too long for a header get one of GNU's.
  public TarBuilder entry(char type, String name, String link, byte[] content) {
    if (name.length() > 100) {
      entry('L', "././@LongLink", "", (name + "\0").getBytes(StandardCharsets.ISO_8859_1));
    }
    if (link.length() > 100) {
      entry('K', "././@LongLink", "", (link + "\0").getBytes(StandardCharsets.ISO_8859_1));
    }
    raw(withChecksum(header(type, name, link, content.length)));
    return raw(Arrays.copyOf(content, (content.length + BLOCK - 1) / BLOCK * BLOCK));
  }

  public TarBuilder raw(byte[] bytes) {
    out.writeBytes(bytes);
    return this;
  }

  /// One that lacks its checksum.
  public byte[] header(char type, String name, String link, long size) {
    byte[] header = new byte[BLOCK];
    text(header, 0, name.substring(0, Math.min(100, name.length())));
    octal(header, 100, 8, mode);
    number(header, 108, 8, uid);
    number(header, 116, 8, gid);
    number(header, 124, 12, size);
    number(header, 136, 12, mtime);
    header[156] = (byte) type;
    text(header, 157, link.substring(0, Math.min(100, link.length())));
    text(header, 257, "ustar\00000");
    return header;
  }

  public static byte[] withChecksum(byte[] header) {
    Arrays.fill(header, 148, 156, (byte) ' ');
    int sum = 0;
    for (byte value : header) {
      sum += value & 0xff;
    }
    octal(header, 148, 7, sum);
    return header;
  }

  private static void text(byte[] header, int offset, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    System.arraycopy(bytes, 0, header, offset, bytes.length);
  }

  private static void octal(byte[] header, int offset, int length, long value) {
    String digits = Long.toOctalString(value);
    text(header, offset, "0".repeat(length - 1 - digits.length()) + digits + "\0");
  }

  /// In base 256 if octal digits do not hold it.
  private static void number(byte[] header, int offset, int length, long value) {
    if (value >= 0 && value < (1L << (3 * (length - 1)))) {
      octal(header, offset, length, value);
      return;
    }
    for (int i = 0; i < length; i++) {
      int shift = 8 * (length - 1 - i);
      header[offset + i] = (byte) (shift > 56 ? (value < 0 ? 0xff : 0) : value >> shift);
    }
    header[offset] |= (byte) 0x80;
  }

  public byte[] build() {
    byte[] end = new byte[2 * BLOCK];
    byte[] content = out.toByteArray();
    byte[] tar = Arrays.copyOf(content, content.length + end.length);
    return tar;
  }

  public byte[] buildTruncated() {
    return out.toByteArray();
  }

  public static byte[] gzip(byte[] content) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return packed.toByteArray();
  }
}
