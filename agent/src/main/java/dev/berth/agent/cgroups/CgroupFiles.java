package dev.berth.agent.cgroups;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// Directories and files of one control group hierarchy.
///
/// @param root its mount point
record CgroupFiles(Path root) {
  Path directory(String path) {
    return root.resolve(path.replaceFirst("^/+", ""));
  }

  void make(String path) throws IOException {
    Files.createDirectories(directory(path));
  }

  /// Writes a value if it differs: the kernel does work even for an equal value.
  void write(String path, String file, String value) throws IOException {
    Path place = directory(path).resolve(file);
    if (!Files.readString(place).strip().equals(value)) {
      Files.writeString(place, value);
    }
  }

  String read(String path, String file) throws IOException {
    return Files.readString(directory(path).resolve(file)).strip();
  }

  List<String> below(String path) throws IOException {
    try (Stream<Path> all = Files.list(directory(path))) {
      return all.filter(Files::isDirectory)
          .map(one -> path.replaceFirst("/+$", "") + "/" + one.getFileName())
          .sorted()
          .toList();
    } catch (NoSuchFileException | NotDirectoryException _) {
      return List.of();
    }
  }

  /// Removes a group's directory. Its files disappear with it; the kernel forbids removing them one
  /// by one.
  boolean remove(String path) throws IOException {
    Path directory = directory(path);
    try {
      // Most groups have no children, and searching for some would stat each file.
      return Files.deleteIfExists(directory);
    } catch (IOException _) {
      for (Path one : deepestFirst(directory)) {
        removeDirectory(one);
      }
      return true;
    }
  }

  Set<Long> processes(String path) throws IOException {
    Set<Long> found = new HashSet<>();
    try {
      for (Path one : deepestFirst(directory(path))) {
        Files.readString(one.resolve("cgroup.procs"))
            .lines()
            .map(Long::parseLong)
            .filter(pid -> pid > 0) // Zero is a process of another pid namespace.
            .forEach(found::add);
      }
    } catch (NoSuchFileException _) {
      // The group does not exist.
    }
    return found;
  }

  /// Tries to remove a group; the kernel refuses while it is in use.
  boolean removeUnused(String path) {
    try {
      Files.deleteIfExists(directory(path));
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  private static List<Path> deepestFirst(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.filter(Files::isDirectory)
          .sorted(Comparator.comparingInt(Path::getNameCount).reversed())
          .toList();
    }
  }

  private static void removeDirectory(Path directory) throws IOException {
    try {
      Files.deleteIfExists(directory);
    } catch (DirectoryNotEmptyException e) {
      throw e;
    } catch (IOException e) {
      throw new IOException("control group %s is still in use".formatted(directory), e);
    }
  }
}
