package dev.berth.agent.volumes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A folder whose files change all at once: names are links into `..data`, which is a link to the
/// newest of folders that are never changed. So the kubelet does, and so programs expect it.
final class AtomicFolder {
  private static final String DATA = "..data";
  private static final String NEXT = "..data_tmp";

  private final Path folder;
  private final VolumeOwner owner;

  AtomicFolder(Path folder, VolumeOwner owner) {
    this.folder = folder;
    this.owner = owner;
  }

  /// Whether a folder has got its first files.
  static boolean wasWritten(Path folder) {
    return Files.isSymbolicLink(folder.resolve(DATA));
  }

  /// Makes these the files of a folder that is there; says whether anything was different.
  boolean write(SortedMap<String, FileContent> files) throws IOException {
    if (wasWritten(folder) && current().equals(withModes(files))) {
      return false;
    }
    Files.setAttribute(folder, "unix:mode", 0755);
    Path version = Files.createTempDirectory(folder, "..version_");
    Files.setAttribute(version, "unix:mode", 0755);
    for (Map.Entry<String, FileContent> file : files.entrySet()) {
      writeFile(version, file.getKey(), file.getValue());
    }
    owner.takeFolder(folder);
    replaceLink(folder.resolve(DATA), Objects.requireNonNull(version.getFileName()));
    Set<String> names = new TreeSet<>();
    files.keySet().forEach(path -> names.add(path.split("/", 2)[0]));
    for (String name : names) {
      if (!Files.isSymbolicLink(folder.resolve(name))) {
        replaceLink(folder.resolve(name), Path.of(DATA, name));
      }
    }
    removeAllBut(names, version);
    return true;
  }

  private void writeFile(Path version, String path, FileContent content) throws IOException {
    Path file = version.resolve(path);
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    Files.write(file, content.bytes().toByteArray());
    Files.setAttribute(file, "unix:mode", content.mode());
    owner.take(file, content.mode());
  }

  /// What is there now; modes are those that owners make of them.
  private Map<String, FileContent> current() throws IOException {
    Path data = folder.resolve(DATA).toRealPath();
    Map<String, FileContent> files = new HashMap<>();
    try (Stream<Path> all = Files.walk(data)) {
      for (Path file : (Iterable<Path>) all.filter(Files::isRegularFile)::iterator) {
        int mode = (Integer) Files.getAttribute(file, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        files.put(
            data.relativize(file).toString(),
            FileContent.of(Files.readAllBytes(file), mode & 07777));
      }
    } catch (NoSuchFileException _) {
      return Map.of();
    } catch (UncheckedIOException e) {
      // Of the walk, when the pod is being removed.
      throw new IOException("%s cannot be read".formatted(data), e);
    }
    return files;
  }

  private Map<String, FileContent> withModes(SortedMap<String, FileContent> files) {
    return owner.group() == null
        ? files
        : files.entrySet().stream()
            .collect(
                Collectors.toMap(
                    Map.Entry::getKey,
                    file ->
                        new FileContent(file.getValue().bytes(), file.getValue().mode() | 0040)));
  }

  /// A rename replaces the old link at once.
  private void replaceLink(Path link, Path target) throws IOException {
    Path next = folder.resolve(NEXT);
    Files.deleteIfExists(next);
    Files.createSymbolicLink(next, target);
    Files.move(next, link, StandardCopyOption.ATOMIC_MOVE);
  }

  private void removeAllBut(Set<String> names, Path version) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      for (Path one : (Iterable<Path>) all::iterator) {
        String name = String.valueOf(one.getFileName());
        if (!names.contains(name) && !name.equals(DATA) && !one.equals(version)) {
          Trees.delete(one);
        }
      }
    }
  }
}
