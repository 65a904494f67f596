package dev.berth.vm.machine;

import dev.berth.api.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Objects;

/// Puts the launcher of QEMU, a small program that this module has as a resource, where it can be
/// executed.
final class LauncherFile {
  private static final String NAME = "machine-launcher";

  private LauncherFile() {}

  static Path install(Path directory) {
    Path file = directory.resolve(NAME);
    try (InputStream resource =
        Objects.requireNonNull(LauncherFile.class.getResourceAsStream(NAME), NAME)) {
      byte[] program = resource.readAllBytes();
      if (!Files.isExecutable(file) || !Arrays.equals(program, Files.readAllBytes(file))) {
        Files.createDirectories(directory);
        Path made = Files.createTempFile(directory, NAME, ".new");
        Files.write(made, program);
        Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
      }
      return file;
    } catch (IOException failure) {
      throw new MachineException(
          new Problem(
              "the launcher of virtual machines cannot be written to " + file,
              failure.toString(),
              "Check the disk and the permissions of the directory"),
          failure);
    }
  }
}
