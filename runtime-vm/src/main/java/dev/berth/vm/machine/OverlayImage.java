package dev.berth.vm.machine;

import java.nio.ByteBuffer;

/// Makes an empty disk of QEMU's format qcow2, version 3, whose unwritten parts come from another
/// disk. A process of `qemu-img` for each machine would cost more than its start.
final class OverlayImage {
  private static final int CLUSTER_BITS = 16;
  private static final int CLUSTER = 1 << CLUSTER_BITS;

  /// Entries of eight bytes in a table of the second level.
  private static final long BYTES_OF_A_TABLE = (long) CLUSTER / 8 * CLUSTER;

  private OverlayImage() {}

  /// One cluster each for the header, the table of reference counts, a block of them, and the table
  /// of the first level, which is empty.
  static byte[] empty(long size) {
    long tables = (size + BYTES_OF_A_TABLE - 1) / BYTES_OF_A_TABLE;
    if (tables * 8 > CLUSTER) {
      throw new IllegalArgumentException("a disk of %d bytes is too large".formatted(size));
    }
    ByteBuffer image = ByteBuffer.allocate(4 * CLUSTER);
    image.putInt(0x514649fb).putInt(3);
    // No name of a backing file: QEMU's command line has it.
    image.putLong(0).putInt(0);
    image.putInt(CLUSTER_BITS).putLong(size).putInt(0);
    image.putInt((int) tables).putLong(3L * CLUSTER);
    image.putLong(CLUSTER).putInt(1);
    // No snapshots; no features; counts of sixteen bits; the length of the header.
    image.putInt(0).putLong(0).putLong(0).putLong(0).putLong(0).putInt(4).putInt(104);
    image.putLong(CLUSTER, 2L * CLUSTER);
    for (int used = 0; used < 4; used++) {
      image.putShort(2 * CLUSTER + 2 * used, (short) 1);
    }
    return image.array();
  }
}
