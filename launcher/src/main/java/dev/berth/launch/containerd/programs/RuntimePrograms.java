package dev.berth.launch.containerd.programs;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// The installed programs of a container runtime.
///
/// @param found program to its file
/// @param handlers name to the file of each low-level runtime, the default one first
/// @param plugins the directory of network plugins, if there is one with all that is needed
public record RuntimePrograms(
    Map<String, Path> found, Map<String, Path> handlers, Optional<Path> plugins) {
  /// `setsid` detaches containerd from the terminal; `busybox` becomes the content of the first
  /// images.
  private static final List<String> NEEDED = List.of("containerd", "ctr", "busybox", "setsid");

  private static final List<String> LOW_LEVEL = List.of("runc", "crun");
  private static final List<String> PLUGINS = List.of("ptp", "host-local", "loopback");

  public static RuntimePrograms ofThisMachine() {
    return find(
        Stream.of(ProgramRunner.path().split(":", -1)).map(Path::of).toList(),
        List.of(Path.of("/usr/lib/cni"), Path.of("/opt/cni/bin")));
  }

  static RuntimePrograms find(List<Path> directories, List<Path> pluginDirectories) {
    Map<String, Path> needed = among(NEEDED, directories);
    // The image contains no libraries for a dynamically linked program.
    needed.computeIfPresent("busybox", (_, file) -> StaticProgram.is(file) ? file : null);
    return new RuntimePrograms(
        needed,
        among(LOW_LEVEL, directories),
        pluginDirectories.stream()
            .filter(
                directory ->
                    PLUGINS.stream().allMatch(name -> Files.isExecutable(directory.resolve(name))))
            .findFirst());
  }

  private static Map<String, Path> among(List<String> names, List<Path> directories) {
    Map<String, Path> files = new LinkedHashMap<>();
    for (String name : names) {
      directories.stream()
          .map(directory -> directory.resolve(name))
          .filter(Files::isExecutable)
          .findFirst()
          .ifPresent(file -> files.put(name, file));
    }
    return files;
  }

  /// The names of missing programs, for messages; empty if all are installed.
  public List<String> missing() {
    List<String> missing = new ArrayList<>(NEEDED);
    missing.removeAll(found.keySet());
    if (handlers.isEmpty()) {
      missing.add("runc or crun");
    }
    if (plugins.isEmpty()) {
      missing.add("CNI plugins");
    }
    return missing;
  }

  public Path file(String program) {
    Path file = found.get(program);
    if (file == null) {
      throw new IllegalStateException(program + " is not there");
    }
    return file;
  }

  public Path pluginDirectory() {
    return plugins.orElseThrow(() -> new IllegalStateException("no CNI plugins are there"));
  }
}
