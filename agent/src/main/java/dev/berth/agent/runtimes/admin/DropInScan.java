package dev.berth.agent.runtimes.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.agent.runtimes.registration.RegistrationException;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.agent.runtimes.registration.RuntimeYaml;
import dev.berth.api.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/// The content of a directory: one service per file, ordered by file name.
///
/// @param services by file
/// @param problems by file; empty for a file that is still being written
record DropInScan(
    SortedMap<Path, RuntimeDeclaration> services, SortedMap<Path, List<Problem>> problems) {
  /// Far more than a description of a service needs.
  private static final long LARGEST_FILE = 64 * 1024;

  DropInScan {
    services = Collections.unmodifiableSortedMap(new TreeMap<>(services));
    problems = Collections.unmodifiableSortedMap(new TreeMap<>(problems));
  }

  /// Reads every `.yaml` and `.yml` file; a broken file does not affect the others.
  static DropInScan of(Path directory) throws IOException {
    SortedMap<Path, RuntimeDeclaration> services = new TreeMap<>();
    SortedMap<Path, List<Problem>> problems = new TreeMap<>();
    Map<String, Path> names = new HashMap<>();
    for (Path file : files(directory)) {
      try {
        String text = text(file);
        if (text.isEmpty()) {
          problems.put(file, List.of()); // It is being written.
          continue;
        }
        RuntimeDeclaration service = RuntimeYaml.readService(file.toString(), text);
        Path other = names.putIfAbsent(service.name(), file);
        if (other == null) {
          services.put(file, service);
        } else {
          problems.put(file, List.of(nameTaken(file, service, other)));
        }
      } catch (RegistrationException e) {
        problems.put(file, e.problems());
      } catch (IOException e) {
        problems.put(file, List.of(unreadable(file, e)));
      }
    }
    return new DropInScan(services, problems);
  }

  List<Problem> allProblems() {
    List<Problem> all = new ArrayList<>();
    problems.values().forEach(all::addAll);
    return all;
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(DropInScan::isDropIn).sorted().toList();
    }
  }

  /// Hidden files are temporary files of editors.
  static boolean isDropIn(Path file) {
    String name = String.valueOf(file.getFileName());
    return !name.startsWith(".")
        && (name.endsWith(".yaml") || name.endsWith(".yml"))
        && Files.isRegularFile(file);
  }

  private static String text(Path file) throws IOException {
    long size = Files.size(file);
    if (size > LARGEST_FILE) {
      throw new IOException("it has %d bytes (%d at most)".formatted(size, LARGEST_FILE));
    }
    return new String(Files.readAllBytes(file), UTF_8);
  }

  private static Problem nameTaken(Path file, RuntimeDeclaration service, Path other) {
    return new Problem(
        file + " cannot be used",
        "name \"%s\" is that of %s already".formatted(service.name(), other),
        "Give every runtime service a name of its own");
  }

  private static Problem unreadable(Path file, IOException e) {
    return new Problem(
        file + " cannot be used", String.valueOf(e.getMessage()), "Let the agent read the file");
  }
}
