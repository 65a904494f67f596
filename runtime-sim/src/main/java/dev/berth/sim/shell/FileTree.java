package dev.berth.sim.shell;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// The files of a container: text in memory, and the host's files below a mount.
///
/// Directories need not be made: a file in them is enough. Any thread may call it: the processes of
/// a container share its files.
public final class FileTree {
  /// A directory or file of the host that a container can use.
  public record Mount(String containerPath, Path hostPath, boolean readonly) {}

  /// Bound of a file that is read or appended to. Of a longer appended file the newest part stays.
  private static final int MAX_BYTES = 1024 * 1024;

  /// Longest path first, so that the innermost mount decides.
  private final List<Mount> mounts;

  private final ConcurrentHashMap<String, String> files = new ConcurrentHashMap<>();

  public FileTree(List<Mount> mounts) {
    this.mounts =
        mounts.stream()
            .sorted(
                Comparator.comparingInt((Mount mount) -> mount.containerPath().length()).reversed())
            .toList();
  }

  Optional<String> read(String name) {
    String path = normal(name);
    Optional<Place> place = place(path);
    if (place.isEmpty()) {
      return Optional.ofNullable(files.get(path));
    }
    try (InputStream in = Files.newInputStream(place.get().host())) {
      return Optional.of(new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8));
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  boolean exists(String name) {
    String path = normal(name);
    return place(path).map(place -> Files.exists(place.host())).orElse(files.containsKey(path));
  }

  /// A directory in memory is there as long as a file or a mount is in it.
  boolean isDirectory(String name) {
    String path = normal(name);
    String prefix = path.equals("/") ? path : path + "/";
    return place(path)
        .map(place -> Files.isDirectory(place.host()))
        .orElseGet(
            () ->
                files.keySet().stream().anyMatch(file -> file.startsWith(prefix))
                    || mounts.stream()
                        .anyMatch(mount -> normal(mount.containerPath()).startsWith(prefix)));
  }

  /// Writes or appends text; returns false when the file cannot be written.
  boolean write(String name, String text, boolean append) {
    String path = normal(name);
    Optional<Place> place = place(path);
    if (place.isEmpty()) {
      files.merge(path, text, (old, added) -> append ? cut(old + added) : added);
      return true;
    }
    if (place.get().readonly()) {
      return false;
    }
    try {
      StandardOpenOption how =
          append ? StandardOpenOption.APPEND : StandardOpenOption.TRUNCATE_EXISTING;
      Files.writeString(place.get().host(), text, StandardOpenOption.CREATE, how);
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  /// Removes a file; returns false when it does not exist or its mount is read-only.
  boolean remove(String name) {
    String path = normal(name);
    Optional<Place> place = place(path);
    if (place.isEmpty()) {
      return files.remove(path) != null;
    }
    try {
      return !place.get().readonly() && Files.deleteIfExists(place.get().host());
    } catch (IOException _) {
      return false;
    }
  }

  private record Place(Path host, boolean readonly) {}

  private Optional<Place> place(String path) {
    for (Mount mount : mounts) {
      String root = normal(mount.containerPath());
      if (path.equals(root)) {
        return Optional.of(new Place(mount.hostPath(), mount.readonly()));
      }
      if (path.startsWith(root.equals("/") ? root : root + "/")) {
        Path host = mount.hostPath().resolve(path.substring(root.length() + 1));
        return Optional.of(new Place(host, mount.readonly()));
      }
    }
    return Optional.empty();
  }

  /// An absolute path without `.` and `..`, so that no path leaves a mount.
  private static String normal(String name) {
    String slashed = name.replace('\\', '/').replaceFirst("^[A-Za-z]:", "");
    return Path.of("/", slashed).normalize().toString();
  }

  private static String cut(String text) {
    return text.length() > MAX_BYTES ? text.substring(text.length() - MAX_BYTES) : text;
  }
}
