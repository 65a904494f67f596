package dev.berth.vm.images.erofs;

import static dev.berth.vm.images.erofs.ErofsFormat.BLOCK;
import static dev.berth.vm.images.erofs.ErofsFormat.DIRECTORY_ENTRY;

import dev.berth.vm.images.layers.FileNode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/// The content of a directory: in each block entries, and their names behind them, in the order of
/// bytes over all blocks, because the kernel looks names up by bisection.
final class DirectoryBlocks {
  private final Map<String, FileNode> names;

  DirectoryBlocks(FileNode directory, FileNode parent) {
    names = new TreeMap<>(directory.children());
    names.put(".", directory);
    names.put("..", parent);
  }

  Map<String, FileNode> names() {
    return names;
  }

  /// All blocks are full, but the last one ends with its last name.
  long size() {
    long full = 0;
    int used = 0;
    for (String name : names.keySet()) {
      int size = DIRECTORY_ENTRY + name.length();
      if (used + size > BLOCK) {
        full += BLOCK;
        used = 0;
      }
      used += size;
    }
    return full + used;
  }

  /// @param numbers of the inodes
  byte[] content(ToLongFunction<FileNode> numbers) {
    byte[] content = new byte[Math.toIntExact(size())];
    int start = 0;
    int used = 0;
    String[] sorted = names.keySet().toArray(String[]::new);
    int first = 0;
    for (int i = 0; i < sorted.length; i++) {
      int size = DIRECTORY_ENTRY + sorted[i].length();
      if (used + size > BLOCK) {
        block(content, start, sorted, first, i, numbers);
        start += BLOCK;
        used = 0;
        first = i;
      }
      used += size;
    }
    block(content, start, sorted, first, sorted.length, numbers);
    return content;
  }

  private void block(
      byte[] content,
      int start,
      String[] sorted,
      int from,
      int to,
      ToLongFunction<FileNode> numbers) {
    ByteBuffer bytes = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
    int name = (to - from) * DIRECTORY_ENTRY;
    for (int i = from; i < to; i++) {
      FileNode node = names.get(sorted[i]);
      if (node == null) {
        throw new IllegalStateException("the names of a directory changed");
      }
      int entry = start + (i - from) * DIRECTORY_ENTRY;
      bytes.putLong(entry, numbers.applyAsLong(node));
      bytes.putShort(entry + 8, (short) name);
      bytes.put(entry + 10, type(node));
      bytes.put(start + name, sorted[i].getBytes(StandardCharsets.ISO_8859_1));
      name += sorted[i].length();
    }
  }

  private static byte type(FileNode node) {
    return switch (node.entry().type()) {
      case FILE -> 1;
      case DIRECTORY -> 2;
      case CHARACTER_DEVICE -> 3;
      case BLOCK_DEVICE -> 4;
      case FIFO -> 5;
      case SYMLINK -> 7;
      case HARD_LINK, WHITEOUT, OPAQUE ->
          throw new IllegalStateException("%s is no file".formatted(node.entry().type()));
    };
  }
}
