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

  /// @param shared whether others that share it see what is mounted below it
  record Mount(int id, Path place, boolean shared) {}

  static KernelMounts now() throws IOException {
    return parse(MountLines.read());
  }

  /// Lines such as `36 35 98:0 /root /place rw,noatime shared:1 - ext3 /dev/root rw`.
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

  private static String unescape(String place) {
    return place
        .replace("\\040", " ")
        .replace("\\011", "\t")
        .replace("\\012", "\n")
        .replace("\\134", "\\");
  }

  /// The one that holds a directory.
  Optional<Mount> of(Path directory) {
    return list.stream()
        .filter(mount -> directory.startsWith(mount.place()))
        .reduce(
            (one, other) ->
                other.place().getNameCount() >= one.place().getNameCount() ? other : one);
  }

  /// Those below a directory, not at it, last made first.
  List<Path> below(Path directory) {
    return list.reversed().stream()
        .map(Mount::place)
        .filter(place -> place.startsWith(directory) && !place.equals(directory))
        .toList();
  }
}
