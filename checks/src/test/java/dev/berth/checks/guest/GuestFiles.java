package dev.berth.checks.guest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A directory of which a file system of the guest is made, filled with files of this machine.
record GuestFiles(Path root) {
  private static final Pattern LIBRARY = Pattern.compile("(/\\S+) \\(0x");

  void write(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  void program(String path, String text) throws IOException {
    write(path, text);
    Files.setPosixFilePermissions(root.resolve(path), PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /// What is there stays.
  void copy(Path from, String path) throws IOException {
    Path file = root.resolve(path);
    if (!Files.exists(file)) {
      Files.createDirectories(file.getParent());
      Files.copy(from.toRealPath(), file);
    }
  }

  void copyDirectory(Path from, String path, List<String> without) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        if (!without.contains(file.getFileName().toString())) {
          copy(file, path + "/" + from.relativize(file));
        }
      }
    }
  }

  /// A program at its own place, with the libraries that it needs.
  void copyProgram(Path program) throws IOException {
    copy(program, program.toString().substring(1));
    copyLibraries(program);
  }

  void copyLibraries(Path program) throws IOException {
    for (var found :
        LIBRARY.matcher(run("ldd '%s' 2>&1 || true".formatted(program))).results().toList()) {
      Path library = Path.of(found.group(1)).normalize();
      copy(library, library.toString().substring(1));
    }
  }

  /// Makes a disk of everything, and lets go of the directory.
  Path writeDisk(int mebibytes) throws IOException {
    Path disk = root.resolveSibling("disk");
    run(
        "PATH=$PATH:/usr/sbin:/sbin mke2fs -q -t ext4 -O ^has_journal -d '%s' '%s' %dM && rm -r '%s'"
            .formatted(root, disk, mebibytes, root));
    return disk;
  }

  static String run(String script) throws IOException {
    Process process = new ProcessBuilder("sh", "-c", script).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new IOException(script + ": " + output);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    return output;
  }
}
