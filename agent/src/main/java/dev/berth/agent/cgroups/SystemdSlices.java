package dev.berth.agent.cgroups;

import java.util.Arrays;
import java.util.List;

/// systemd's names of control groups: `/berth/kubepods` is `berth-kubepods.slice` within
/// `berth.slice`. A hyphen separates levels, so hyphens in names become underscores.
public final class SystemdSlices {
  private static final String SUFFIX = ".slice";

  private SystemdSlices() {}

  /// The slice unit of a group.
  public static String unit(String path) {
    return String.join("-", parts(path)) + SUFFIX;
  }

  /// The path of a group in the kernel's hierarchies.
  static String directory(String path) {
    List<String> parts = parts(path);
    StringBuilder directory = new StringBuilder();
    for (int depth = 1; depth <= parts.size(); depth++) {
      directory.append('/').append(String.join("-", parts.subList(0, depth))).append(SUFFIX);
    }
    return directory.toString();
  }

  private static List<String> parts(String path) {
    return Arrays.stream(path.split("/", -1))
        .filter(part -> !part.isEmpty())
        .map(part -> part.endsWith(SUFFIX) ? part.substring(0, part.indexOf(SUFFIX)) : part)
        .map(part -> part.replace('-', '_'))
        .toList();
  }

  /// Whether a directory is a slice's; containers are scopes.
  static boolean isSlice(String directory) {
    return directory.endsWith(SUFFIX);
  }

  /// The path of a slice in the directory of the group above it.
  static String below(String path, String directory) {
    String name = directory.substring(directory.lastIndexOf('/') + 1);
    String own = name.substring(name.lastIndexOf('-') + 1, name.length() - SUFFIX.length());
    return path + "/" + own.replace('_', '-');
  }
}
