package dev.berth.vm.images.tar;

import java.nio.charset.StandardCharsets;

/// The fields of one header block.
final class TarHeader {
  static final int SIZE = 512;

  private static final int CHECKSUM = 148;
  private static final int CHECKSUM_END = 156;
  private static final int TYPE = 156;
  private static final int MAGIC = 257;
  private static final int PREFIX = 345;

  /// Files of `star` have times behind a shorter prefix and say so at the end of the block.
  private static final int STAR_PREFIX_END = 476;

  private static final int PREFIX_END = 500;
  private static final int STAR_TRAILER = 508;

  private final byte[] block;

  /// @param block that nobody changes any more
  TarHeader(byte[] block) {
    this.block = block;
  }

  boolean isZero() {
    for (byte value : block) {
      if (value != 0) {
        return false;
      }
    }
    return true;
  }

  /// @throws TarFormatException if this is no header
  void check() throws TarFormatException {
    long unsigned = 0;
    long signed = 0;
    for (int i = 0; i < SIZE; i++) {
      byte value = i >= CHECKSUM && i < CHECKSUM_END ? (byte) ' ' : block[i];
      unsigned += value & 0xff;
      signed += value;
    }
    // Old programs added the bytes as signed numbers.
    long stored = storedChecksum();
    if (stored != unsigned && stored != signed) {
      throw new TarFormatException(
          "it is not a tar file, or damaged: a header has a wrong checksum");
    }
  }

  private long storedChecksum() {
    try {
      return number(CHECKSUM, CHECKSUM_END);
    } catch (TarFormatException _) {
      return -1;
    }
  }

  byte type() {
    return block[TYPE];
  }

  String name() {
    String name = text(0, 100);
    boolean isPosix = text(MAGIC, MAGIC + 6).equals("ustar") && block[MAGIC + 5] == 0;
    if (!isPosix || block[PREFIX] == 0) {
      return name;
    }
    boolean isStar = text(STAR_TRAILER, STAR_TRAILER + 4).equals("tar");
    return text(PREFIX, isStar ? STAR_PREFIX_END : PREFIX_END) + "/" + name;
  }

  String linkName() {
    return text(157, 257);
  }

  long mode() throws TarFormatException {
    return number(100, 108);
  }

  long uid() throws TarFormatException {
    return number(108, 116);
  }

  long gid() throws TarFormatException {
    return number(116, 124);
  }

  long size() throws TarFormatException {
    return number(124, 136);
  }

  long mtime() throws TarFormatException {
    return number(136, 148);
  }

  /// Fields of devices are rubbish in files that have none: they are read for devices only.
  long deviceMajor() throws TarFormatException {
    return number(329, 337);
  }

  long deviceMinor() throws TarFormatException {
    return number(337, 345);
  }

  private String text(int from, int to) {
    int end = from;
    while (end < to && block[end] != 0) {
      end++;
    }
    return new String(block, from, end - from, StandardCharsets.ISO_8859_1);
  }

  /// Octal digits, or GNU's base 256 if the first bit is set.
  private long number(int from, int to) throws TarFormatException {
    return (block[from] & 0x80) != 0 ? binary(from, to) : octal(from, to);
  }

  private long binary(int from, int to) throws TarFormatException {
    boolean isNegative = (block[from] & 0x40) != 0;
    long value = isNegative ? block[from] : block[from] & 0x7f;
    for (int i = from + 1; i < to; i++) {
      if (value > Long.MAX_VALUE >> 8 || value < Long.MIN_VALUE >> 8) {
        throw new TarFormatException("a number in a header of the tar file is too large");
      }
      value = (value << 8) | (block[i] & 0xff);
    }
    return value;
  }

  private long octal(int from, int to) throws TarFormatException {
    int start = from;
    int end = to;
    while (start < end && isBlank(block[start])) {
      start++;
    }
    while (end > start && isBlank(block[end - 1])) {
      end--;
    }
    long value = 0;
    for (int i = start; i < end && block[i] != 0; i++) {
      if (block[i] < '0' || block[i] > '7') {
        throw new TarFormatException("a number in a header of the tar file is not octal");
      }
      value = (value << 3) | (block[i] - '0');
    }
    return value;
  }

  private static boolean isBlank(byte value) {
    return value == ' ' || value == 0;
  }
}
