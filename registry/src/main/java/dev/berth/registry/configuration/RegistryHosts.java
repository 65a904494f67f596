package dev.berth.registry.configuration;

import dev.berth.registry.RegistrySettings;
import dev.berth.registry.transport.RegistryEndpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Reads mirrors and authorities of registries from a directory in the layout of containerd's
/// `certs.d`: one subdirectory for each registry, with a file `hosts.toml`.
public final class RegistryHosts {
  /// As file systems need it that allow no colon.
  private static final Pattern WITH_PORT = Pattern.compile("(.+)_([0-9]{1,5})_");

  private RegistryHosts() {}

  /// The endpoints of each registry.
  ///
  /// @param authorities which all registries have in common, in PEM
  /// @param mistakes gets a sentence for each mistake; then the endpoints are incomplete
  public static Map<String, List<RegistryEndpoint>> read(
      Path directory, List<Path> authorities, List<String> mistakes) {
    ConfigurationNotes notes = new ConfigurationNotes();
    Map<String, List<RegistryEndpoint>> endpoints = read(directory, authorities, notes);
    mistakes.addAll(notes.mistakes());
    return endpoints;
  }

  static Map<String, List<RegistryEndpoint>> read(
      Path directory, List<Path> authorities, ConfigurationNotes notes) {
    Map<String, List<RegistryEndpoint>> endpoints = new TreeMap<>();
    try (Stream<Path> entries = Files.list(directory)) {
      entries
          .filter(Files::isDirectory)
          .filter(entry -> !entry.getFileName().toString().startsWith("."))
          .sorted()
          .forEach(entry -> readHost(entry, authorities, endpoints, notes));
    } catch (IOException e) {
      notes.mistake("cannot be listed: " + e.getMessage());
    }
    return endpoints;
  }

  private static void readHost(
      Path entry,
      List<Path> authorities,
      Map<String, List<RegistryEndpoint>> endpoints,
      ConfigurationNotes notes) {
    String name = entry.getFileName().toString();
    Matcher port = WITH_PORT.matcher(name);
    String host = port.matches() ? port.group(1) + ":" + port.group(2) : name;
    if (!host.equals(RegistrySettings.OTHER_HOSTS) && !RegistryEndpoint.isHost(host)) {
      notes.mistake(
          "directory %s must have the name of a registry, such as docker.io or registry.example.com:5000, or _default"
              .formatted(name));
    } else if (endpoints.containsKey(host)) {
      notes.mistake("registry %s has two directories, %s is one of them".formatted(host, name));
    } else {
      endpoints.put(host, new HostsFile(host, entry, authorities, notes).read());
    }
  }
}
