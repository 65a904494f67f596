package dev.berth.vm.pods.volumes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The mounts of the host at one moment, as `/proc/self/mountinfo` lists them.
record HostMounts(List<HostMount> mounts) {
  private static final Path SOURCE = Path.of("/proc/self/mountinfo");

  HostMounts {
    mounts = List.copyOf(mounts);
  }

  /// One mount.
  ///
  /// @param device numbers of the file system
  /// @param root what of the file system is mounted
  record HostMount(String device, Path root, Path place, String type) {}

  static HostMounts read() throws IOException {
    return parse(Files.readString(SOURCE, StandardCharsets.ISO_8859_1));
  }

  static HostMounts parse(String text) {
    List<HostMount> mounts = new ArrayList<>();
    for (String line : text.lines().toList()) {
      String[] words = line.split(" ", -1);
      int separator = List.of(words).indexOf("-");
      if (words.length > 5 && separator > 5 && separator + 1 < words.length) {
        mounts.add(new HostMount(words[2], path(words[3]), path(words[4]), words[separator + 1]));
      }
    }
    return new HostMounts(mounts);
  }

  /// The kernel writes blanks, line ends and backslashes as octal numbers.
  private static Path path(String escaped) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < escaped.length(); i++) {
      boolean octal = escaped.charAt(i) == '\\' && i + 3 < escaped.length();
      text.append(
          octal ? (char) Integer.parseInt(escaped.substring(i + 1, i + 4), 8) : escaped.charAt(i));
      i += octal ? 3 : 0;
    }
    byte[] bytes = text.toString().getBytes(StandardCharsets.ISO_8859_1);
    return Path.of(new String(bytes, StandardCharsets.UTF_8));
  }

  /// What is mounted exactly there; the newest covers the others.
  Optional<HostMount> at(Path place) {
    return mounts.stream()
        .filter(mount -> mount.place().equals(place))
        .reduce((older, newer) -> newer);
  }

  /// Where a bind mount leads, relative to a directory; empty if it leads elsewhere.
  Optional<Path> relative(HostMount bound, Path directory) {
    return mounts.stream()
        .filter(mount -> directory.startsWith(mount.place()))
        .reduce(
            (one, other) ->
                other.place().getNameCount() >= one.place().getNameCount() ? other : one)
        .filter(covering -> covering.device().equals(bound.device()))
        .map(covering -> covering.root().resolve(covering.place().relativize(directory)))
        .map(Path::normalize)
        .filter(inFileSystem -> bound.root().startsWith(inFileSystem))
        .map(inFileSystem -> inFileSystem.relativize(bound.root()));
  }
}
