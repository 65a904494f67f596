package dev.berth.vm.network;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Commands of tests, in a network namespace or outside.
record NetworkCommands(Path directory) {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  String run(String... command) throws IOException {
    ProgramOutput done = attempt(List.of(command));
    if (!done.succeeded()) {
      throw new IOException(String.join(" ", command) + ": " + done.complaint());
    }
    return done.output();
  }

  String inside(Path namespace, String... command) throws IOException {
    return run(nsenter(namespace, command).toArray(String[]::new));
  }

  boolean succeedsInside(Path namespace, String... command) throws IOException {
    return attempt(nsenter(namespace, command)).succeeded();
  }

  static List<String> nsenter(Path namespace, String... command) {
    List<String> all = new ArrayList<>(List.of("nsenter", "--net=" + namespace));
    all.addAll(List.of(command));
    return all;
  }

  /// A network namespace that is kept by a file.
  Path namespace(String name) throws IOException {
    Path file = Files.createFile(directory.resolve(name));
    run("unshare", "--net=" + file, "ip", "link", "set", "lo", "up");
    return file;
  }

  private ProgramOutput attempt(List<String> command) throws IOException {
    return new NetworkProgram(directory, LIMIT).run(command, Map.of(), "");
  }
}
