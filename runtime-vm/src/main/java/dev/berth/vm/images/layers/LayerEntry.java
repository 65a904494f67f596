package dev.berth.vm.images.layers;

import java.util.Map;

/// One entry of a layer. Names are Latin-1 strings of bytes, as the tar reader has them.
///
/// @param path relative to the root, without empty parts; empty for the root itself
/// @param size of a file's content
/// @param firstBlock where the content starts in the layer's data, in blocks
/// @param link target of a symbolic link, as text, or path of a hard link's file
/// @param device number as the kernel encodes it
public record LayerEntry(
    String path,
    LayerEntryType type,
    int mode,
    long uid,
    long gid,
    long mtimeSeconds,
    int mtimeNanos,
    long size,
    int firstBlock,
    String link,
    int device,
    Map<String, byte[]> xattrs) {
  private static final int DIRECTORY_MODE = 0755;

  public LayerEntry {
    xattrs = Map.copyOf(xattrs);
  }

  /// A directory that no layer describes.
  static LayerEntry implicitDirectory() {
    return new LayerEntry(
        "", LayerEntryType.DIRECTORY, DIRECTORY_MODE, 0, 0, 0, 0, 0, 0, "", 0, Map.of());
  }
}
