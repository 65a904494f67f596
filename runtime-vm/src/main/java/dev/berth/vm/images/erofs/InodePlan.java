package dev.berth.vm.images.erofs;

import static dev.berth.vm.images.erofs.ErofsFormat.BLOCK;

import dev.berth.vm.images.layers.FileNode;
import dev.berth.vm.images.layers.LayerEntry;
import dev.berth.vm.images.layers.LayerEntryType;
import org.jspecify.annotations.Nullable;

/// Where one inode and its content go.
final class InodePlan {
  final FileNode node;

  /// Null for what is no directory.
  final @Nullable DirectoryBlocks directory;

  final byte[] xattrs;

  /// Of the content, as the inode says it.
  final long size;

  /// Names of the inode, and those that directories have of themselves and their parents.
  int links;

  boolean isExtended;

  /// In the file.
  long position;

  /// Whether the end of the content follows the inode.
  boolean isInline;

  /// Where blocks of the content start that are part of the metadata.
  long metadataBlock;

  InodePlan(FileNode node, @Nullable DirectoryBlocks directory) {
    this.node = node;
    this.directory = directory;
    this.xattrs = XattrArea.of(node.entry().xattrs());
    this.size = size(node.entry(), directory);
  }

  private static long size(LayerEntry entry, @Nullable DirectoryBlocks directory) {
    if (directory != null) {
      return directory.size();
    }
    return entry.type() == LayerEntryType.SYMLINK ? entry.link().length() : entry.size();
  }

  /// Of directories and symbolic links.
  boolean isInMetadata() {
    return directory != null || node.entry().type() == LayerEntryType.SYMLINK;
  }

  int headSize() {
    int inode = isExtended ? ErofsFormat.EXTENDED_INODE : ErofsFormat.COMPACT_INODE;
    return inode + xattrs.length;
  }

  /// Content that no whole block holds.
  int tail() {
    return isInMetadata() ? (int) (size % BLOCK) : 0;
  }

  /// Chooses the place of the inode: an inode that fits in a block does not cross into the next
  /// one, and the kernel accepts content behind it in no other way.
  ///
  /// @return where the next inode can start
  long place(long start) {
    int tail = tail();
    isInline = tail > 0 && headSize() + tail <= BLOCK;
    int whole = headSize() + (isInline ? tail : 0);
    long offset = start % BLOCK;
    boolean crosses = whole <= BLOCK && offset + whole > BLOCK;
    position = crosses ? start + BLOCK - offset : start;
    return ErofsFormat.roundUp(position + whole, ErofsFormat.SLOT);
  }

  /// Blocks of the metadata for content that is not inline.
  long metadataBlocks() {
    if (!isInMetadata()) {
      return 0;
    }
    return isInline ? size / BLOCK : ErofsFormat.blocks(size);
  }

  long number() {
    return position / ErofsFormat.SLOT;
  }
}
