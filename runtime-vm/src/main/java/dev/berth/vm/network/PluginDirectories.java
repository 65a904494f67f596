package dev.berth.vm.network;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Finds CNI plugins by their type.
record PluginDirectories(List<Path> directories) {
  Optional<Path> find(String type) {
    return directories.stream()
        .map(directory -> directory.resolve(type))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /// The types of a list that are not installed, with those for addresses.
  List<String> missing(NetworkList list) {
    return list.plugins().stream()
        .flatMap(PluginDirectories::types)
        .filter(type -> find(type).isEmpty())
        .distinct()
        .toList();
  }

  private static Stream<String> types(ObjectNode plugin) {
    return Stream.of(plugin.path("type").asText(), plugin.path("ipam").path("type").asText())
        .filter(type -> !type.isEmpty());
  }

  /// The value of `CNI_PATH`.
  String path() {
    return directories.stream().map(Path::toString).collect(Collectors.joining(":"));
  }
}
