package dev.berth.vm.images.erofs;

/// Numbers of the format, as `fs/erofs/erofs_fs.h` of Linux has them.
final class ErofsFormat {
  static final int BLOCK = 4096;
  static final int BLOCK_BITS = 12;
  static final int SUPERBLOCK = 1024;
  static final int SUPERBLOCK_SIZE = 128;
  static final long MAGIC = 0xE0F5E1E2L;

  /// A checksum of the first block; times of inodes are those of modification.
  static final int COMPATIBLE_FEATURES = 1 | 2;

  /// Inodes are numbered by their place in units of this size.
  static final int SLOT = 32;

  static final int COMPACT_INODE = 32;
  static final int EXTENDED_INODE = 64;
  static final int EXTENDED = 1;

  /// Layouts of contents, as they stand in the format of an inode.
  static final int FLAT_PLAIN = 0;

  static final int FLAT_INLINE = 2 << 1;

  static final int DIRECTORY_ENTRY = 12;
  static final int XATTR_HEADER = 12;
  static final int XATTR_ENTRY = 4;

  private ErofsFormat() {}

  static long roundUp(long value, int unit) {
    return (value + unit - 1) / unit * unit;
  }

  static long blocks(long bytes) {
    return roundUp(bytes, BLOCK) / BLOCK;
  }
}
