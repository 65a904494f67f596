package dev.berth.agent.volumes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// What is mounted where, as the kernel tells it; later mounts come last.
record MountTable(List<Entry> entries) {
  private static final Path SELF = Path.of("/proc/self/mountinfo");
  private static final Pattern ESCAPED = Pattern.compile("\\\\([0-7]{3})");

  MountTable {
    entries = List.copyOf(entries);
  }

  /// Something mounted.
  ///
  /// @param root the part of the file system that is seen
  record Entry(String device, Path root, Path point) {
    /// Where in the file system a path below the mount point lies.
    Path inside(Path path) {
      return root.resolve(point.relativize(path));
    }
  }

  static MountTable read() throws IOException {
    return parse(Files.readAllLines(SELF));
  }

  static MountTable parse(List<String> lines) {
    List<Entry> entries = new ArrayList<>();
    for (String line : lines) {
      String[] fields = line.split(" ", 6);
      entries.add(new Entry(fields[2], path(fields[3]), path(fields[4])));
    }
    return new MountTable(entries);
  }

  private static Path path(String text) {
    return Path.of(
        ESCAPED
            .matcher(text)
            .replaceAll(match -> String.valueOf((char) Integer.parseInt(match.group(1), 8))));
  }

  /// The mount that is seen at exactly this place.
  Optional<Entry> at(Path point) {
    return entries.reversed().stream().filter(entry -> entry.point().equals(point)).findFirst();
  }

  /// The mount that a path lies on.
  Entry of(Path path) {
    return entries.reversed().stream()
        .filter(entry -> path.startsWith(entry.point()))
        .max(Comparator.comparingInt(entry -> entry.point().getNameCount()))
        .orElseThrow();
  }

  /// Those to be unmounted first come first.
  List<Path> below(Path folder) {
    return entries.reversed().stream()
        .map(Entry::point)
        .filter(point -> point.startsWith(folder))
        .toList();
  }
}
