package dev.berth.agent.volumes.mounts;

import dev.berth.agent.files.MountLines;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/// The mount points in the kernel's table, in mount order.
///
/// @param points as text: mount points of others need not be valid paths in this process's encoding
record MountTable(List<String> points) {
  private static final Pattern ESCAPED = Pattern.compile("\\\\([0-7]{3})");
  private static final int POINT = 4;

  MountTable {
    points = List.copyOf(points);
  }

  static MountTable read() throws IOException {
    return parse(MountLines.read());
  }

  static MountTable parse(List<String> lines) {
    return new MountTable(lines.stream().map(line -> unescape(line.split(" ", 6)[POINT])).toList());
  }

  private static String unescape(String text) {
    return ESCAPED
        .matcher(text)
        .replaceAll(match -> String.valueOf((char) Integer.parseInt(match.group(1), 8)));
  }

  /// Whether exactly this path is a mount point.
  boolean has(Path point) {
    return points.contains(point.toString());
  }

  /// The mount points at and below a directory, in the order of unmounting.
  List<Path> below(Path directory) {
    String inside = directory + "/";
    return points.reversed().stream()
        .filter(point -> point.equals(directory.toString()) || point.startsWith(inside))
        .map(Path::of)
        .toList();
  }
}
