package dev.berth.agent.volumes.payloads;

import com.google.protobuf.ByteString;
import dev.berth.agent.files.DirectoryHandle;
import dev.berth.agent.files.FileHandle;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;

/// A directory whose files change atomically: names link into `..data`, which links to the newest
/// of several immutable version directories. The kubelet uses this layout, and programs rely on it.
public final class AtomicDirectory {
  private static final String DATA = "..data";
  private static final String NEXT = "..data_tmp";
  private static final String VERSION = "..version_";

  private final DirectoryHandle directory;
  private final VolumeOwner owner;

  private AtomicDirectory(DirectoryHandle directory, VolumeOwner owner) {
    this.directory = directory;
    this.owner = owner;
  }

  /// Whether files were written at least once.
  public static boolean wasWritten(Path path) {
    try (DirectoryHandle directory = DirectoryHandle.openPlain(path)) {
      return directory.readLink(DATA).isPresent();
    } catch (IOException _) {
      return false;
    }
  }

  /// Writes the files of an existing directory.
  ///
  /// @return whether anything changed
  public static boolean write(Path path, VolumeOwner owner, SortedMap<String, FileContent> files)
      throws IOException {
    try (DirectoryHandle directory = DirectoryHandle.openPlain(path)) {
      return new AtomicDirectory(directory, owner).write(files);
    }
  }

  private boolean write(SortedMap<String, FileContent> files) throws IOException {
    String current = directory.readLink(DATA).orElse("");
    if (isVersion(current) && holds(current, files)) {
      return false;
    }
    directory.self().setMode(0755);
    String version = makeVersion(current);
    try (DirectoryHandle next = directory.directory(version)) {
      next.self().setMode(0755);
      for (Map.Entry<String, FileContent> file : files.entrySet()) {
        writeFile(next, file.getKey(), file.getValue());
      }
    }
    owner.takeDirectory(directory);
    replaceLink(DATA, version);
    Set<String> names = new TreeSet<>();
    files.keySet().forEach(path -> names.add(path.split("/", 2)[0]));
    for (String name : names) {
      if (directory.readLink(name).isEmpty()) {
        replaceLink(name, DATA + "/" + name);
      }
    }
    names.add(DATA);
    names.add(version);
    directory.removeAllBut(names);
    return true;
  }

  private static boolean isVersion(String target) {
    return target.startsWith(VERSION) && target.indexOf('/') < 0;
  }

  /// A name that differs from the version in use.
  private String makeVersion(String current) throws IOException {
    String number = current.startsWith(VERSION) ? current.substring(VERSION.length()) : "";
    long next = number.matches("\\d{1,15}") ? Long.parseLong(number) + 1 : 1;
    while (!directory.makeDirectory(VERSION + next)) {
      next++;
    }
    return VERSION + next;
  }

  private void writeFile(DirectoryHandle version, String path, FileContent content)
      throws IOException {
    String[] names = path.split("/", 2);
    if (names.length == 2) {
      version.makeDirectory(names[0]);
      try (DirectoryHandle inner = version.directory(names[0])) {
        inner.self().setMode(0755);
        writeFile(inner, names[1], content);
      }
      return;
    }
    try (FileHandle file = version.create(path)) {
      file.write(content.bytes().toByteArray());
      file.setMode(content.mode());
      owner.take(file, content.mode());
    }
  }

  /// Whether a version has exactly these files, with the modes that the owner implies.
  private boolean holds(String version, SortedMap<String, FileContent> files) {
    try (DirectoryHandle current = directory.directory(version)) {
      Set<String> found = new HashSet<>();
      return holds(current, "", files, found) && found.size() == files.size();
    } catch (IOException _) {
      return false; // An unreadable version is written again.
    }
  }

  private boolean holds(
      DirectoryHandle place, String prefix, Map<String, FileContent> files, Set<String> found)
      throws IOException {
    for (String name : place.names()) {
      String path = prefix + name;
      FileContent wanted = files.get(path);
      if (wanted == null) {
        // Opening a file as a directory fails: then the layout has changed.
        try (DirectoryHandle inner = place.directory(name)) {
          if (!holds(inner, path + "/", files, found)) {
            return false;
          }
        }
      } else if (isSame(place, name, wanted)) {
        found.add(path);
      } else {
        return false;
      }
    }
    return true;
  }

  private boolean isSame(DirectoryHandle place, String name, FileContent wanted)
      throws IOException {
    int mode = owner.group() == null ? wanted.mode() : wanted.mode() | 0040;
    try (FileHandle file = place.find(name)) {
      return file.status().permissions() == mode
          && file.status().size() == wanted.bytes().size()
          && wanted.bytes().equals(content(file, wanted.bytes().size()));
    }
  }

  private static ByteString content(FileHandle file, int size) throws IOException {
    try (RandomAccessFile open = file.read()) {
      byte[] bytes = new byte[size];
      open.readFully(bytes);
      return ByteString.copyFrom(bytes);
    }
  }

  /// A rename replaces the old link atomically.
  private void replaceLink(String name, String target) throws IOException {
    directory.removeTree(NEXT);
    directory.link(NEXT, target);
    directory.rename(NEXT, name);
  }
}
