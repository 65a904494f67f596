package dev.berth.vm.machine;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// The directory of one machine. It belongs to root, and QEMU's user can make, remove or rename
/// nothing in it; only the contents of single files are that user's.
///
/// @param path absolute
record MachineDirectory(Path path) {
  static final String OVERLAY = "scratch.qcow2";
  private static final String RECORD = "machine.json";
  private static final Pattern SANDBOX = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

  /// The names of unix sockets have at most 107 bytes, with all directories.
  private static final int NAME_LENGTH = 24;

  private static final JsonMapper JSON = new JsonMapper();

  /// @throws IllegalArgumentException unless the identifier can be the name of a directory
  static MachineDirectory of(Path machines, String sandboxId) {
    if (!SANDBOX.matcher(sandboxId).matches()) {
      throw new IllegalArgumentException("no identifier of a sandbox: " + sandboxId);
    }
    int length = Math.min(NAME_LENGTH, sandboxId.length());
    return new MachineDirectory(machines.resolve(sandboxId.substring(0, length)));
  }

  /// All of them, in any state.
  static List<MachineDirectory> all(Path machines) throws IOException {
    List<MachineDirectory> all = new ArrayList<>();
    try (DirectoryStream<Path> directories = Files.newDirectoryStream(machines)) {
      directories.forEach(directory -> all.add(new MachineDirectory(directory)));
    }
    return all;
  }

  void create() throws IOException {
    Files.createDirectories(path);
    // QEMU's user looks up files in it, and does not list it.
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx--x--x"));
  }

  Path file(String name) {
    return path.resolve(name);
  }

  /// Empty where nothing is or the file is damaged, which a power failure can do.
  Optional<MachineRecord> record() {
    try {
      return Optional.of(JSON.readValue(Files.readAllBytes(file(RECORD)), MachineRecord.class));
    } catch (IOException none) {
      return Optional.empty();
    }
  }

  /// Replaces the whole file at once. Not synchronized with the disk: a crash of the host ends the
  /// machine as well.
  void write(MachineRecord record) throws IOException {
    Path made = file(RECORD + ".new");
    Files.write(made, JSON.writeValueAsBytes(record));
    Files.move(made, file(RECORD), StandardCopyOption.ATOMIC_MOVE);
  }

  /// An empty file that only QEMU's user may open. It is made new, so nobody can have put a link in
  /// its place.
  void writeOwned(String name, byte[] content, int user) throws IOException {
    Path file = file(name);
    Files.deleteIfExists(file);
    Files.write(file, content, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    Files.setAttribute(file, "unix:gid", user);
    Files.setAttribute(file, "unix:uid", user);
  }

  /// Leaves the directory itself if somebody put a directory into it.
  void delete() throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    } catch (NoSuchFileException none) {
      return;
    }
    Files.deleteIfExists(path);
  }
}
