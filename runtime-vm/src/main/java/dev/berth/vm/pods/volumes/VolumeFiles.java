package dev.berth.vm.pods.volumes;

import dev.berth.api.Problem;
import dev.berth.vm.guest.model.TreeEntry;
import dev.berth.vm.guest.model.TreeEntry.TreeDirectory;
import dev.berth.vm.guest.model.TreeEntry.TreeFile;
import dev.berth.vm.guest.model.TreeEntry.TreeLink;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Reads the files of a volume for a guest. Everything is bounded: the node's agent bounds objects
/// at 1 MiB, and a projected volume joins several.
public final class VolumeFiles {
  static final String DATA = "..data";
  private static final int MOST_BYTES = 16 << 20;
  private static final int MOST_ENTRIES = 4096;
  private static final int DEEPEST = 16;

  /// The agent replaces a version of the files while it is read at most once in a while.
  private static final int ATTEMPTS = 5;

  private final Path source;
  private final List<TreeEntry> entries = new ArrayList<>();
  private long bytes;

  private VolumeFiles(Path source) {
    this.source = source;
  }

  /// Reads a single file, or the newest version of a volume's files.
  ///
  /// @throws IOException also for a source that is too large
  public static List<TreeEntry> read(Path source) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        return new VolumeFiles(source).read();
      } catch (NoSuchFileException e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  /// What changes when the files of a source do: cheap to read, and often read.
  public static String version(Path source) throws IOException {
    Path data = source.resolve(DATA);
    if (Files.isSymbolicLink(data)) {
      return Files.readSymbolicLink(data).toString();
    }
    Map<String, Object> status = Files.readAttributes(source, "unix:ino,size,lastModifiedTime");
    return status.get("ino") + " " + status.get("size") + " " + status.get("lastModifiedTime");
  }

  private List<TreeEntry> read() throws IOException {
    if (Files.isDirectory(source)) {
      Path data = source.resolve(DATA);
      Path version =
          Files.isSymbolicLink(data) ? source.resolve(Files.readSymbolicLink(data)) : source;
      directory(version, "", 1);
    } else {
      file(source, String.valueOf(source.getFileName()));
    }
    return List.copyOf(entries);
  }

  private void directory(Path directory, String prefix, int depth) throws IOException {
    if (depth > DEEPEST) {
      throw tooLarge("it has more than %d levels of directories".formatted(DEEPEST));
    }
    List<Path> children;
    try (Stream<Path> list = Files.list(directory)) {
      children = list.limit(MOST_ENTRIES + 1L).sorted().toList();
    }
    for (Path child : children) {
      String path = prefix + child.getFileName();
      if (Files.isSymbolicLink(child)) {
        add(new TreeLink(path, Files.readSymbolicLink(child).toString()));
      } else if (Files.isDirectory(child, LinkOption.NOFOLLOW_LINKS)) {
        UnixStatus status = UnixStatus.of(child);
        add(new TreeDirectory(path, status.mode(), status.uid(), status.gid()));
        directory(child, path + "/", depth + 1);
      } else {
        file(child, path);
      }
    }
  }

  private void file(Path file, String path) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException(file + " is not a regular file");
    }
    UnixStatus status = UnixStatus.of(file);
    byte[] content;
    try (InputStream in =
        Files.newInputStream(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      content = in.readNBytes((int) (MOST_BYTES - bytes + 1));
    }
    bytes += content.length;
    if (bytes > MOST_BYTES) {
      throw tooLarge("its files have more than %d MiB".formatted(MOST_BYTES >> 20));
    }
    add(new TreeFile(path, status.mode(), status.uid(), status.gid(), content));
  }

  private void add(TreeEntry entry) throws IOException {
    if (entries.size() == MOST_ENTRIES) {
      throw tooLarge("it has more than %d files".formatted(MOST_ENTRIES));
    }
    entries.add(entry);
  }

  private IOException tooLarge(String why) {
    return new IOException(
        new Problem(
                "the volume %s cannot be delivered to a guest".formatted(source.getFileName()),
                why,
                "Put large data into an image volume")
            .toString());
  }
}
