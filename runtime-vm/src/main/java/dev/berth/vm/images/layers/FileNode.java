package dev.berth.vm.images.layers;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A file of an image. Several names mean the same node if they are hard links.
public final class FileNode {
  /// A name in a directory.
  static final class FileName {
    final FileNode node;

    /// The last layer that has an entry for it.
    int layer;

    FileName(FileNode node, int layer) {
      this.node = node;
      this.layer = layer;
    }
  }

  private LayerEntry entry;

  /// Which of the image's data files has the content.
  private final int data;

  /// Null for what is no directory. A hash map sorts colliding keys, so that no choice of names
  /// makes it slow.
  private final @Nullable Map<String, FileName> names;

  final @Nullable FileNode parent;
  final int depth;

  /// The layer in which this directory was last freed of what lower layers have in it.
  int prunedIn = -1;

  FileNode(LayerEntry entry, int data, @Nullable FileNode parent) {
    this.entry = entry;
    this.data = data;
    this.parent = parent;
    this.depth = parent == null ? 0 : parent.depth + 1;
    this.names = entry.type() == LayerEntryType.DIRECTORY ? new HashMap<>() : null;
  }

  public LayerEntry entry() {
    return entry;
  }

  /// A directory keeps its files when a higher layer describes it again.
  void describe(LayerEntry other) {
    entry = other;
  }

  public int data() {
    return data;
  }

  public boolean isDirectory() {
    return names != null;
  }

  /// Of the directory; empty for others.
  Map<String, FileName> names() {
    return names == null ? Map.of() : names;
  }

  /// The files of this directory by name, in no order.
  public Map<String, FileNode> children() {
    Map<String, FileNode> children = new HashMap<>();
    names().forEach((name, child) -> children.put(name, child.node));
    return children;
  }
}
