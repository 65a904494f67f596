package dev.berth.vm.images.layers;

import dev.berth.vm.images.layers.LayerIndex.IndexWriter;
import dev.berth.vm.images.tar.TarEntry;
import dev.berth.vm.images.tar.TarEntryType;
import dev.berth.vm.images.tar.TarReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Turns the tar file of a layer into the layer's data and index, in one pass.
public final class LayerConverter {
  private static final int BUFFER = 256 * 1024;
  private static final long HIGHEST_ID = 0xffff_fffeL;
  private static final int LONGEST_TARGET = 4095;
  private static final int MOST_XATTR_BYTES = 64 * 1024;
  private static final int LONGEST_XATTR_NAME = 255;

  private final LayerLimits limits;
  private final byte[] buffer = new byte[BUFFER];

  public LayerConverter(LayerLimits limits) {
    this.limits = limits;
  }

  /// Reads the stream to its end and writes both files durably.
  ///
  /// @throws LayerFormatException or `TarFormatException`, if the layer is not acceptable
  public void convert(InputStream tar, LayerFiles files) throws IOException {
    try (FileChannel data = create(files.data());
        FileChannel index = create(files.index())) {
      BlockWriter blocks = new BlockWriter(data);
      try (IndexWriter entries = new IndexWriter(Channels.newOutputStream(index))) {
        convert(new TarReader(tar), blocks, entries);
      }
      // The digest of a layer covers what stands behind the end of its tar file.
      tar.transferTo(OutputStream.nullOutputStream());
      blocks.flush();
      data.force(true);
      index.force(true);
    }
  }

  /// Guests read the data through hard links, as a user that may write nothing.
  private static FileChannel create(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    return channel;
  }

  private void convert(TarReader reader, BlockWriter blocks, IndexWriter entries)
      throws IOException {
    int count = 0;
    for (TarEntry tar = reader.next(); tar != null; tar = reader.next()) {
      if (++count > limits.entries() || entries.bytes() > limits.indexBytes()) {
        throw new LayerFormatException(
            "it has more than %d files, or more than %d bytes of names and attributes"
                .formatted(limits.entries(), limits.indexBytes()));
      }
      LayerEntry entry = entry(tar, blocks.nextBlock());
      if (entry == null) {
        continue;
      }
      entries.write(entry);
      if (entry.type() == LayerEntryType.FILE) {
        copy(reader, blocks);
      }
    }
  }

  private void copy(TarReader reader, BlockWriter blocks) throws IOException {
    for (int read = reader.read(buffer, 0, BUFFER);
        read >= 0;
        read = reader.read(buffer, 0, BUFFER)) {
      blocks.write(buffer, read);
    }
    blocks.endContent();
  }

  /// Null for what is no file.
  private static @Nullable LayerEntry entry(TarEntry tar, int block) throws IOException {
    String path = EntryPaths.clean(tar.name());
    String name = EntryPaths.last(path);
    if (path.startsWith(EntryPaths.WHITEOUT) || path.contains("/" + EntryPaths.WHITEOUT)) {
      return whiteout(path, name);
    }
    if (path.isEmpty() && tar.type() != TarEntryType.DIRECTORY) {
      throw new LayerFormatException("its root is not a directory");
    }
    checkId(path, "user", tar.uid());
    checkId(path, "group", tar.gid());
    return new LayerEntry(
        path,
        type(tar.type()),
        tar.mode(),
        tar.uid(),
        tar.gid(),
        tar.mtimeSeconds(),
        tar.mtimeNanos(),
        tar.size(),
        tar.size() == 0 ? 0 : block,
        link(path, tar),
        device(path, tar),
        xattrs(path, tar.xattrs()));
  }

  private static @Nullable LayerEntry whiteout(String path, String name) throws IOException {
    String parent = EntryPaths.parent(path);
    if (name.equals(EntryPaths.OPAQUE) && !isMarked(parent)) {
      return mark(LayerEntryType.OPAQUE, parent);
    }
    if (path.startsWith(EntryPaths.AUFS) || name.startsWith(EntryPaths.AUFS)) {
      return null;
    }
    String removed =
        name.startsWith(EntryPaths.WHITEOUT) ? name.substring(EntryPaths.WHITEOUT.length()) : "";
    if (removed.isEmpty() || removed.equals(".") || removed.equals("..") || isMarked(parent)) {
      throw new LayerFormatException(
          "%s is not a proper whiteout".formatted(EntryPaths.shown(path)));
    }
    return mark(LayerEntryType.WHITEOUT, parent.isEmpty() ? removed : parent + "/" + removed);
  }

  private static boolean isMarked(String path) {
    return path.startsWith(EntryPaths.WHITEOUT) || path.contains("/" + EntryPaths.WHITEOUT);
  }

  private static LayerEntry mark(LayerEntryType type, String path) {
    return new LayerEntry(path, type, 0, 0, 0, 0, 0, 0, 0, "", 0, Map.of());
  }

  private static LayerEntryType type(TarEntryType type) {
    return switch (type) {
      case FILE -> LayerEntryType.FILE;
      case HARD_LINK -> LayerEntryType.HARD_LINK;
      case SYMLINK -> LayerEntryType.SYMLINK;
      case CHARACTER_DEVICE -> LayerEntryType.CHARACTER_DEVICE;
      case BLOCK_DEVICE -> LayerEntryType.BLOCK_DEVICE;
      case DIRECTORY -> LayerEntryType.DIRECTORY;
      case FIFO -> LayerEntryType.FIFO;
    };
  }

  private static void checkId(String path, String kind, long id) throws LayerFormatException {
    if (id < 0 || id > HIGHEST_ID) {
      throw new LayerFormatException(
          "%s has the %s %d, which no file can have".formatted(EntryPaths.shown(path), kind, id));
    }
  }

  /// A symbolic link is text: only programs in the guest follow it.
  private static String link(String path, TarEntry tar) throws LayerFormatException {
    if (tar.type() == TarEntryType.HARD_LINK) {
      return EntryPaths.clean(tar.linkName());
    }
    boolean isSymlink = tar.type() == TarEntryType.SYMLINK;
    String target = tar.linkName();
    if (isSymlink
        && (target.isEmpty() || target.length() > LONGEST_TARGET || target.indexOf(0) >= 0)) {
      throw new LayerFormatException(
          "the symbolic link %s has no target, or one that no link can have"
              .formatted(EntryPaths.shown(path)));
    }
    return isSymlink ? target : "";
  }

  /// The kernel's `new_encode_dev`.
  private static int device(String path, TarEntry tar) throws LayerFormatException {
    long major = tar.deviceMajor();
    long minor = tar.deviceMinor();
    if (major < 0 || major > 0xfff || minor < 0 || minor > 0xfffff) {
      throw new LayerFormatException(
          "%s is device %d:%d, which no system has"
              .formatted(EntryPaths.shown(path), major, minor));
    }
    return (int) ((minor & 0xff) | (major << 8) | ((minor & ~0xffL) << 12));
  }

  private static Map<String, byte[]> xattrs(String path, Map<String, byte[]> all)
      throws LayerFormatException {
    Map<String, byte[]> kept = new HashMap<>();
    int bytes = 0;
    for (Map.Entry<String, byte[]> xattr : all.entrySet()) {
      if (isKept(xattr.getKey())) {
        kept.put(xattr.getKey(), xattr.getValue());
        bytes += xattr.getKey().length() + xattr.getValue().length;
        if (xattr.getKey().length() > LONGEST_XATTR_NAME || bytes > MOST_XATTR_BYTES) {
          throw new LayerFormatException(
              "%s has extended attributes of more than %d bytes, or with a name of more than %d"
                  .formatted(EntryPaths.shown(path), MOST_XATTR_BYTES, LONGEST_XATTR_NAME));
        }
      }
    }
    return kept;
  }

  /// Not those of overlay file systems: the guest mounts the image below one, which would follow
  /// the redirections in them. Labels of security modules belong to the host that wrote them.
  private static boolean isKept(String name) {
    boolean isOfUsers =
        name.startsWith("user.") && name.length() > 5 && !name.startsWith("user.overlay.");
    return isOfUsers
        || name.equals("security.capability")
        || name.equals("system.posix_acl_access")
        || name.equals("system.posix_acl_default");
  }
}
