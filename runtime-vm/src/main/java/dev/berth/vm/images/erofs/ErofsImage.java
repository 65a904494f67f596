package dev.berth.vm.images.erofs;

import static dev.berth.vm.images.erofs.ErofsFormat.BLOCK;

import dev.berth.vm.images.layers.FileNode;
import dev.berth.vm.images.layers.LayerEntry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32C;

/// Writes the metadata of an image, behind which the data files of its layers follow.
public final class ErofsImage {
  private static final long MOST_BLOCKS = 0xffff_ffffL;
  private static final int CHECKSUM = 4;

  private final InodeTable table;

  /// The first block of each data file on the disk.
  private final long[] dataStarts;

  private final long totalBlocks;

  /// @param dataBlocks of the data files, in the order in which they follow the metadata
  public ErofsImage(FileNode root, List<Long> dataBlocks) {
    table = new InodeTable(root);
    dataStarts = new long[dataBlocks.size()];
    long next = table.metadataBlocks();
    for (int i = 0; i < dataStarts.length; i++) {
      dataStarts[i] = next;
      next += dataBlocks.get(i);
    }
    totalBlocks = next;
  }

  /// Writes to an empty file that can also be read.
  ///
  /// @param volume 16 bytes that distinguish the file system from others
  /// @throws IOException also if the image is larger than the format allows
  public void write(FileChannel file, byte[] volume) throws IOException {
    if (totalBlocks > MOST_BLOCKS) {
      throw new IOException("the image has more than 16 TiB");
    }
    MetadataOutput out = new MetadataOutput(file);
    out.zerosTo(ErofsFormat.SUPERBLOCK);
    writeSuperblock(out, volume);
    int serial = 0;
    for (InodePlan plan : table.plans()) {
      out.zerosTo(plan.position);
      writeInode(out, plan, ++serial);
    }
    for (InodePlan plan : table.plans()) {
      long blocks = plan.metadataBlocks();
      if (blocks > 0) {
        out.zerosTo(plan.metadataBlock * BLOCK);
        byte[] content = content(plan);
        out.bytes(content, 0, (int) Math.min(content.length, blocks * BLOCK));
      }
    }
    out.zerosTo(table.metadataBlocks() * BLOCK);
    out.flush();
    writeChecksum(file);
  }

  private void writeSuperblock(MetadataOutput out, byte[] volume) throws IOException {
    out.u32(ErofsFormat.MAGIC);
    out.u32(0);
    out.u32(ErofsFormat.COMPATIBLE_FEATURES);
    out.u8(ErofsFormat.BLOCK_BITS);
    out.u8(0);
    out.u16((int) table.plans().getFirst().number());
    out.u64(table.plans().size());
    out.u64(table.usualTime().seconds());
    out.u32(table.usualTime().nanos());
    out.u32(totalBlocks);
    // Inodes are counted from the first block, and no attributes are shared.
    out.u32(0);
    out.u32(0);
    out.bytes(volume, 0, 16);
    out.zerosTo(ErofsFormat.SUPERBLOCK + ErofsFormat.SUPERBLOCK_SIZE);
  }

  private void writeInode(MetadataOutput out, InodePlan plan, int serial) throws IOException {
    LayerEntry entry = plan.node.entry();
    int layout = plan.isInline ? ErofsFormat.FLAT_INLINE : ErofsFormat.FLAT_PLAIN;
    out.u16(layout | (plan.isExtended ? ErofsFormat.EXTENDED : 0));
    out.u16(XattrArea.count(plan.xattrs));
    out.u16(mode(entry));
    if (plan.isExtended) {
      out.u16(0);
      out.u64(plan.size);
      out.u32(place(plan));
      out.u32(serial);
      out.u32(entry.uid());
      out.u32(entry.gid());
      out.u64(entry.mtimeSeconds());
      out.u32(entry.mtimeNanos());
      out.u32(plan.links);
      out.u64(0);
      out.u64(0);
    } else {
      out.u16(plan.links);
      out.u32(plan.size);
      out.u32(0);
      out.u32(place(plan));
      out.u32(serial);
      out.u16((int) entry.uid());
      out.u16((int) entry.gid());
      out.u32(0);
    }
    out.bytes(plan.xattrs, 0, plan.xattrs.length);
    if (plan.isInline) {
      byte[] content = content(plan);
      out.bytes(content, content.length - plan.tail(), plan.tail());
    }
  }

  /// Type and permissions.
  private static int mode(LayerEntry entry) {
    int type =
        switch (entry.type()) {
          case FILE -> 0100000;
          case DIRECTORY -> 0040000;
          case SYMLINK -> 0120000;
          case CHARACTER_DEVICE -> 0020000;
          case BLOCK_DEVICE -> 0060000;
          case FIFO -> 0010000;
          case HARD_LINK, WHITEOUT, OPAQUE ->
              throw new IllegalStateException("%s is no file".formatted(entry.type()));
        };
    return type | entry.mode();
  }

  /// The first block of the content, or the number of the device.
  private long place(InodePlan plan) {
    LayerEntry entry = plan.node.entry();
    return switch (entry.type()) {
      case FILE -> entry.size() == 0 ? 0 : dataStarts[plan.node.data()] + entry.firstBlock();
      case DIRECTORY, SYMLINK -> plan.metadataBlocks() == 0 ? 0 : plan.metadataBlock;
      case CHARACTER_DEVICE, BLOCK_DEVICE -> entry.device();
      case FIFO, HARD_LINK, WHITEOUT, OPAQUE -> 0;
    };
  }

  private byte[] content(InodePlan plan) {
    return plan.directory == null
        ? plan.node.entry().link().getBytes(StandardCharsets.ISO_8859_1)
        : plan.directory.content(node -> table.plan(node).number());
  }

  /// The kernel's CRC32C does not invert its result, as Java's does.
  private static void writeChecksum(FileChannel file) throws IOException {
    ByteBuffer block = ByteBuffer.allocate(BLOCK - ErofsFormat.SUPERBLOCK);
    while (block.hasRemaining()) {
      if (file.read(block, ErofsFormat.SUPERBLOCK + block.position()) < 0) {
        throw new IOException("the metadata ends within its first block");
      }
    }
    CRC32C checksum = new CRC32C();
    checksum.update(block.flip());
    ByteBuffer value = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN);
    value.putInt((int) ~checksum.getValue()).flip();
    while (value.hasRemaining()) {
      file.write(value, ErofsFormat.SUPERBLOCK + CHECKSUM + value.position());
    }
  }
}
