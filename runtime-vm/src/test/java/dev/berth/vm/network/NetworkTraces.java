package dev.berth.vm.network;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// What networks have on this machine.
///
/// @param addresses records of the plugin `host-local`
/// @param devices network devices outside of pods
/// @param records the entries of the state directory
record NetworkTraces(
    List<String> mounts, List<String> devices, List<String> addresses, List<String> records) {

  static NetworkTraces of(Path directory) throws IOException {
    List<String> mounts =
        Files.readAllLines(Path.of("/proc/self/mountinfo")).stream()
            .filter(line -> line.contains(directory.toString()))
            .toList();
    return new NetworkTraces(
        mounts,
        names(Path.of("/sys/class/net")),
        names(directory.resolve("addresses/pods")).stream()
            .filter(name -> name.matches("[0-9.]+"))
            .toList(),
        names(directory.resolve("state")));
  }

  private static List<String> names(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
