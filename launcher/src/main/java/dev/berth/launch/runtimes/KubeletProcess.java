package dev.berth.launch.runtimes;

import dev.berth.store.ProcessCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A kubelet that runs on this machine, perhaps in a container.
///
/// @param directory its directory in `/proc`
/// @param words of its command line
record KubeletProcess(Path directory, List<String> words) {
  /// The endpoint that a kubelet uses when none is configured.
  private static final String DEFAULT = "unix:///run/containerd/containerd.sock";

  private static final Pattern IN_FILE =
      Pattern.compile(
          "(?m)(?:^|[{,])\\s*[\"']?containerRuntimeEndpoint[\"']?\\s*:\\s*[\"']?([^\"'\\s,}]+)");

  /// Maximum number of links in a path, the kernel's own limit; more are a loop.
  private static final int MOST_LINKS = 40;

  /// Reads a process; empty when it is no kubelet, or cannot be read.
  static Optional<KubeletProcess> read(Path directory) {
    try {
      String line = Files.readString(directory.resolve("cmdline"), StandardCharsets.ISO_8859_1);
      List<String> words = List.of(line.split("\0", -1));
      return isKubelet(words)
          ? Optional.of(new KubeletProcess(directory, words))
          : Optional.empty();
    } catch (IOException _) {
      return Optional.empty(); // It has ended.
    }
  }

  /// Whether the words are the command line of a kubelet; `hyperkube kubelet` is one too.
  private static boolean isKubelet(List<String> words) {
    return name(words.getFirst()).equals("kubelet")
        || (name(words.getFirst()).equals("hyperkube")
            && words.size() > 1
            && words.get(1).equals("kubelet"));
  }

  private static String name(String program) {
    return program.substring(program.lastIndexOf('/') + 1);
  }

  /// Whether it uses the runtime that listens at a socket of this machine.
  boolean uses(Path socket) {
    Path theirs = Path.of(endpoint().replaceFirst("^unix://", ""));
    try {
      Path root = directory.resolve("root");
      // The kubelet may run in a container: its path is resolved below its own root.
      return Files.isSameFile(resolve(root, theirs, 0), socket);
    } catch (IOException _) {
      // Not there yet, or not ours to see: only the names can be compared.
      return theirs.normalize().equals(socket.toAbsolutePath().normalize()) && isAtHome();
    }
  }

  /// Whether the kubelet has this process's mount namespace, so that equal paths mean the same
  /// file.
  private boolean isAtHome() {
    try {
      return Files.readSymbolicLink(directory.resolve("ns/mnt"))
          .equals(Files.readSymbolicLink(Path.of("/proc/self/ns/mnt")));
    } catch (IOException _) {
      return true;
    }
  }

  private String endpoint() {
    return option("--container-runtime-endpoint")
        .or(() -> option("--config").flatMap(this::endpointInFile))
        .orElse(DEFAULT);
  }

  private Optional<String> option(String name) {
    for (int i = 1; i < words.size(); i++) {
      if (words.get(i).startsWith(name + "=")) {
        return Optional.of(words.get(i).substring(name.length() + 1));
      }
      if (words.get(i).equals(name) && i + 1 < words.size()) {
        return Optional.of(words.get(i + 1));
      }
    }
    return Optional.empty();
  }

  private Optional<String> endpointInFile(String file) {
    try {
      Path config = resolve(directory.resolve("root"), Path.of(file), 0);
      Matcher endpoint = IN_FILE.matcher(Files.readString(config));
      return endpoint.find() ? Optional.of(endpoint.group(1)) : Optional.empty();
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  /// Follows the links of a path below a process's root, where an absolute link means that root.
  private static Path resolve(Path root, Path path, int links) throws IOException {
    Path at = root;
    Path below = path.isAbsolute() ? Path.of("/").relativize(path.normalize()) : path.normalize();
    for (int i = 0; i < below.getNameCount(); i++) {
      Path next = at.resolve(below.getName(i));
      if (Files.isSymbolicLink(next)) {
        if (links == MOST_LINKS) {
          throw new IOException("too many links: " + path);
        }
        Path target = Files.readSymbolicLink(next);
        Path rest =
            i + 1 < below.getNameCount() ? below.subpath(i + 1, below.getNameCount()) : Path.of("");
        Path parent = Path.of("/").resolve(root.relativize(at).toString());
        return resolve(root, parent.resolve(target).resolve(rest), links + 1);
      }
      at = next;
    }
    return at;
  }

  /// A description for messages, such as `process 4711 (/usr/bin/kubelet --config=...)`.
  String description() {
    return "process %s (%s)"
        .formatted(Objects.requireNonNull(directory.getFileName()), ProcessCommand.of(directory));
  }
}
