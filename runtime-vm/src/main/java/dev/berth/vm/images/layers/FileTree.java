package dev.berth.vm.images.layers;

import dev.berth.vm.images.layers.FileNode.FileName;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The files of an image: its layers applied one after the other, in memory.
///
/// Whiteouts remove what lower layers have, never what their own layer has, in whatever order the
/// entries come. Symbolic links on the way to a file are followed within the tree, as containerd
/// does.
public final class FileTree {
  private static final int MOST_LINKS = 40;
  private static final int DEEPEST = 1024;

  /// Of all walks together; honest images take less than 20 for each file.
  private static final long MOST_STEPS = 200_000_000;

  private final FileNode root = new FileNode(LayerEntry.implicitDirectory(), 0, null);
  private final int most;
  private int count = 1;
  private long steps;
  private int layer = -1;
  private int data;

  /// @param most files that an image may have, those counted that higher layers remove
  public FileTree(int most) {
    this.most = most;
  }

  public FileNode root() {
    return root;
  }

  /// Applies the next layer.
  ///
  /// @param dataFile which of the image's data files has the contents
  public void apply(List<LayerEntry> entries, int dataFile) throws LayerFormatException {
    layer++;
    data = dataFile;
    for (LayerEntry entry : entries) {
      switch (entry.type()) {
        case WHITEOUT -> remove(entry.path());
        case OPAQUE -> {
          FileNode directory = find(entry.path());
          if (directory != null) {
            prune(directory);
          }
        }
        case HARD_LINK -> link(entry);
        case DIRECTORY -> makeDirectory(entry);
        case FILE, SYMLINK, CHARACTER_DEVICE, BLOCK_DEVICE, FIFO -> {
          FileNode parent = makeParents(entry.path());
          put(parent, EntryPaths.last(entry.path()), node(entry, parent));
        }
      }
    }
  }

  private void remove(String path) throws LayerFormatException {
    FileNode parent = find(EntryPaths.parent(path));
    String last = EntryPaths.last(path);
    FileName name = parent == null ? null : parent.names().get(last);
    if (parent != null && name != null && !isKept(name)) {
      parent.names().remove(last);
    }
  }

  /// Removes what lower layers have in a directory. Each directory is looked through once for a
  /// layer, because afterwards all in it is of that layer.
  private void prune(FileNode directory) {
    if (directory.prunedIn != layer) {
      directory.prunedIn = layer;
      directory.names().values().removeIf(name -> !isKept(name));
    }
  }

  /// Whether this layer has an entry for the name, or for something below it.
  private boolean isKept(FileName name) {
    if (!name.node.isDirectory()) {
      return name.layer == layer;
    }
    prune(name.node);
    if (name.layer != layer && !name.node.names().isEmpty()) {
      // The directory of lower layers goes; that of this layer is only implied by what it has in
      // it.
      name.node.describe(LayerEntry.implicitDirectory());
      name.layer = layer;
    }
    return name.layer == layer;
  }

  private void link(LayerEntry entry) throws LayerFormatException {
    FileNode directory = find(EntryPaths.parent(entry.link()));
    FileName target =
        directory == null ? null : directory.names().get(EntryPaths.last(entry.link()));
    if (target == null || target.node.isDirectory()) {
      throw new LayerFormatException(
          "%s is a hard link to %s, which is %s"
              .formatted(
                  EntryPaths.shown(entry.path()),
                  EntryPaths.shown(entry.link()),
                  target == null ? "not there" : "a directory"));
    }
    put(makeParents(entry.path()), EntryPaths.last(entry.path()), target.node);
  }

  private void makeDirectory(LayerEntry entry) throws LayerFormatException {
    if (entry.path().isEmpty()) {
      root.describe(entry);
      return;
    }
    FileNode parent = makeParents(entry.path());
    String last = EntryPaths.last(entry.path());
    FileName before = parent.names().get(last);
    if (before != null && before.node.isDirectory()) {
      before.node.describe(entry);
      before.layer = layer;
    } else {
      put(parent, last, node(entry, parent));
    }
  }

  private void put(FileNode parent, String last, FileNode node) throws LayerFormatException {
    if (++count > most) {
      throw new LayerFormatException("the image has more than %d files".formatted(most));
    }
    parent.names().put(last, new FileName(node, layer));
  }

  private FileNode node(LayerEntry entry, FileNode parent) throws LayerFormatException {
    FileNode node = new FileNode(entry, data, parent);
    if (node.depth > DEEPEST) {
      throw new LayerFormatException(
          "%s lies more than %d directories deep"
              .formatted(EntryPaths.shown(entry.path()), DEEPEST));
    }
    return node;
  }

  private FileNode makeParents(String path) throws LayerFormatException {
    FileNode parent = walk(EntryPaths.parent(path), true);
    if (parent == null) {
      throw new IllegalStateException("directories that are missing are made");
    }
    return parent;
  }

  /// The directory with this path; null if there is none.
  private @Nullable FileNode find(String path) throws LayerFormatException {
    return walk(path, false);
  }

  private @Nullable FileNode walk(String path, boolean isMade) throws LayerFormatException {
    FileNode current = root;
    if (path.isEmpty()) {
      return current;
    }
    Deque<String> parts = new ArrayDeque<>(Arrays.asList(path.split("/", -1)));
    int links = 0;
    while (!parts.isEmpty()) {
      String part = parts.removeFirst();
      if (++steps > MOST_STEPS) {
        throw new LayerFormatException("the paths of its files are too long together");
      }
      if (part.isEmpty() || part.equals(".")) {
        continue;
      }
      if (part.equals("..")) {
        current = current.parent == null ? root : current.parent;
        continue;
      }
      FileName next = current.names().get(part);
      if (next != null && next.node.entry().type() == LayerEntryType.SYMLINK) {
        if (++links > MOST_LINKS) {
          throw new LayerFormatException(
              "the symbolic links on the way to %s lead in a circle"
                  .formatted(EntryPaths.shown(path)));
        }
        current = follow(next.node.entry().link(), parts, current);
      } else if (next != null && next.node.isDirectory()) {
        current = next.node;
      } else if (isMade) {
        EntryPaths.check(part, path);
        FileNode made = node(LayerEntry.implicitDirectory(), current);
        put(current, part, made);
        current = made;
      } else {
        return null;
      }
    }
    return current;
  }

  private FileNode follow(String target, Deque<String> parts, FileNode current)
      throws LayerFormatException {
    List<String> steps = Arrays.asList(target.split("/", -1));
    if (parts.size() + steps.size() > 2 * DEEPEST * MOST_LINKS) {
      throw new LayerFormatException("its symbolic links are too long");
    }
    steps.reversed().forEach(parts::addFirst);
    return target.startsWith("/") ? root : current;
  }
}
