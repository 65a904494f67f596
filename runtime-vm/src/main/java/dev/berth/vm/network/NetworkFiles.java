package dev.berth.vm.network;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The files of one pod's network. A file is written before what it describes exists, and removed
/// after that is gone: a new process finds every half.
///
/// @param directory it exists as long as anything of the network may
record NetworkFiles(Path directory) {
  private static final ObjectMapper JSON = new ObjectMapper();

  static Stream<NetworkFiles> all(Path state) throws IOException {
    if (!Files.isDirectory(state)) {
      return Stream.empty();
    }
    try (Stream<Path> directories = Files.list(state)) {
      return directories.map(NetworkFiles::new).toList().stream();
    }
  }

  static NetworkFiles of(Path state, String sandboxId) {
    // The id becomes a path, and comes from a client.
    if (!sandboxId.matches("[A-Za-z0-9][A-Za-z0-9_.-]*")) {
      throw new IllegalArgumentException("no id of a sandbox: " + sandboxId);
    }
    return new NetworkFiles(state.resolve(sandboxId));
  }

  String sandboxId() {
    return directory.getFileName().toString();
  }

  boolean exist() {
    return Files.exists(directory);
  }

  /// Makes the directory, readable by its owner alone: who reaches the namespace file can enter the
  /// network of the pod.
  void make() throws IOException {
    var own = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    Files.createDirectories(directory.getParent(), own);
    Files.createDirectory(directory, own);
    Files.createFile(namespace());
  }

  /// Keeps the network namespace once it is mounted.
  Path namespace() {
    return directory.resolve("namespace");
  }

  /// A mounted namespace is on another device than its directory. It is not after a restart of the
  /// machine.
  boolean hasNamespace() throws IOException {
    return Files.exists(namespace())
        && !Files.getAttribute(namespace(), "unix:dev")
            .equals(Files.getAttribute(directory, "unix:dev"));
  }

  /// What plugins are called with: from before the first call until all have removed their part.
  Path attachment() {
    return directory.resolve("attachment.json");
  }

  /// What the last plugin returned.
  Path result() {
    return directory.resolve("result.json");
  }

  /// What the guest gets; there once everything is.
  Path addresses() {
    return directory.resolve("addresses.json");
  }

  void write(Path file, Object value) throws IOException {
    Path temporary = directory.resolve(file.getFileName() + ".new");
    Files.write(temporary, JSON.writeValueAsBytes(value));
    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
  }

  Optional<JsonNode> read(Path file) throws IOException {
    return Files.exists(file) ? Optional.of(JSON.readTree(file.toFile())) : Optional.empty();
  }

  <T> Optional<T> read(Path file, Class<T> type) throws IOException {
    try {
      return Files.exists(file)
          ? Optional.of(JSON.readValue(file.toFile(), type))
          : Optional.empty();
    } catch (JsonProcessingException e) {
      throw new IOException("%s is damaged: %s".formatted(file, e.getOriginalMessage()), e);
    }
  }

  /// Removes the records of a connection; the namespace stays.
  void forgetConnection() throws IOException {
    for (Path file : List.of(addresses(), result(), attachment())) {
      Files.deleteIfExists(file);
    }
  }

  /// Removes everything, the directory last.
  void remove() throws IOException {
    if (!exist()) {
      return;
    }
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }
}
