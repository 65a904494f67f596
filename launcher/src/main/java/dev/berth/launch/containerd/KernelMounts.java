package dev.berth.launch.containerd;

import dev.berth.agent.files.MountLines;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The mounts of this process, in mount order.
record KernelMounts(List<Mount> list) {
  KernelMounts {
    list = List.copyOf(list);
  }

  /// One mount.
  ///
  /// @param id the kernel's number of the mount, unique while it exists
  /// @param shared whether mount namespaces that share it see what is mounted below it
  record Mount(int id, Path place, boolean shared) {}

  static KernelMounts now() throws IOException {
    return parse(MountLines.read());
  }

  /// Parses lines of `/proc/self/mountinfo`, such as `36 35 98:0 /root /place rw,noatime shared:1 -
  /// ext3 /dev/root rw`.
  static KernelMounts parse(List<String> lines) {
    return new KernelMounts(
        lines.stream()
            .map(line -> line.split(" ", -1))
            .map(
                fields ->
                    new Mount(
                        Integer.parseInt(fields[0]),
                        Path.of(unescape(fields[4])),
                        isShared(fields)))
            .toList());
  }

  private static boolean isShared(String[] fields) {
    for (int i = 6; !fields[i].equals("-"); i++) {
      if (fields[i].startsWith("shared:")) {
        return true;
      }
    }
    return false;
  }

  /// The kernel writes blanks, tabs, line feeds and backslashes of a path as octal numbers.
  private static String unescape(String place) {
    return place
        .replace("\\040", " ")
        .replace("\\011", "\t")
        .replace("\\012", "\n")
        .replace("\\134", "\\");
  }

  /// The mount that holds a directory: the one with the longest path, and of several at one place
  /// the last, which hides the others.
  Optional<Mount> of(Path directory) {
    return list.stream()
        .filter(mount -> directory.startsWith(mount.place()))
        .reduce(
            (one, other) ->
                other.place().getNameCount() >= one.place().getNameCount() ? other : one);
  }

  /// The places of the mounts below a directory, not at it. The last one comes first, because a
  /// mount must go before the one that holds it.
  List<Path> below(Path directory) {
    return list.reversed().stream()
        .map(Mount::place)
        .filter(place -> place.startsWith(directory) && !place.equals(directory))
        .toList();
  }
}
