package dev.berth.vm.network;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Reads CNI configurations as containerd does: the first file by name that ends in `.conflist`,
/// `.conf` or `.json`. The directory is read for every pod, which takes less than a millisecond, so
/// that a change needs no restart.
record NetworkConfigurations(Path directory) {
  private static final ObjectMapper JSON = new ObjectMapper();

  NetworkList first() {
    List<Path> files = files();
    if (files.isEmpty()) {
      throw new NetworkException(
          new Problem(
              "pods in virtual machines have no network",
              "%s has no CNI configuration (*.conflist, *.conf, *.json)".formatted(directory),
              "Put the configuration there that the containers of this node use"),
          null);
    }
    Path file = files.getFirst();
    try {
      return parse(JSON.readTree(Files.readString(file)));
    } catch (IOException | IllegalArgumentException e) {
      throw new NetworkException(
          new Problem(
              "pods in virtual machines have no network",
              "%s is no CNI configuration: %s".formatted(file, e.getMessage()),
              "Correct the file"),
          e);
    }
  }

  private List<Path> files() {
    try (Stream<Path> all = Files.list(directory)) {
      return all.filter(file -> file.toString().matches(".*\\.(conflist|conf|json)"))
          .sorted()
          .toList();
    } catch (IOException _) {
      return List.of(); // It does not exist yet; a network add-on makes it.
    }
  }

  static NetworkList parse(JsonNode document) {
    String name = document.path("name").asText();
    if (name.isEmpty()) {
      throw new IllegalArgumentException("it has no name");
    }
    List<ObjectNode> plugins = new ArrayList<>();
    if (document.has("plugins")) {
      document.path("plugins").forEach(plugin -> plugins.add(plugin(plugin)));
    } else {
      plugins.add(plugin(document)); // The form of one plugin, before there were lists.
    }
    if (plugins.isEmpty()) {
      throw new IllegalArgumentException("it has no plugins");
    }
    return new NetworkList(name, version(document), plugins);
  }

  private static ObjectNode plugin(JsonNode plugin) {
    if (!(plugin instanceof ObjectNode node) || node.path("type").asText().isEmpty()) {
      throw new IllegalArgumentException("a plugin has no type");
    }
    // The name becomes part of a path.
    if (node.path("type").asText().contains("/")) {
      throw new IllegalArgumentException(
          "the type of a plugin must be a file name, and is " + node.path("type"));
    }
    return node;
  }

  /// The version of a list; since 1.1 there may be several, and the newest known one counts.
  private static String version(JsonNode document) {
    List<String> offered = new ArrayList<>();
    document.path("cniVersions").forEach(version -> offered.add(version.asText()));
    if (offered.isEmpty()) {
      offered.add(document.path("cniVersion").asText());
    }
    return NetworkList.VERSIONS.reversed().stream()
        .filter(offered::contains)
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "its cniVersion is %s (known: %s)"
                        .formatted(
                            String.join(", ", offered), String.join(", ", NetworkList.VERSIONS))));
  }
}
