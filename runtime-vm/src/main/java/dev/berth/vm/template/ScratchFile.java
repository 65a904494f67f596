package dev.berth.vm.template;

import dev.berth.api.Problem;
import dev.berth.vm.machine.MachineException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Makes the empty file system of machines' writable disks: ext4 without a journal, because what is
/// on it ends with its machine.
final class ScratchFile {
  private ScratchFile() {}

  /// @param file made unless it is there
  static void create(Path file, long bytes) throws IOException {
    if (Files.exists(file)) {
      return;
    }
    Path made = file.resolveSibling("." + file.getFileName() + ".new");
    Files.deleteIfExists(made);
    try (RandomAccessFile sparse = new RandomAccessFile(made.toFile(), "rw")) {
      sparse.setLength(bytes);
    }
    // Checksums would cost a translated processor more than they give a disk of minutes.
    format(
        "mke2fs",
        "-q",
        "-F",
        "-t",
        "ext4",
        "-O",
        "^has_journal,^metadata_csum,uninit_bg",
        "-E",
        "lazy_itable_init=1,discard,root_owner=0:0",
        "-m",
        "0",
        made.toString());
    Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("r--r--r--"));
    Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void format(String... command) throws IOException {
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException missing) {
      throw failure(missing.toString(), missing);
    }
    try {
      process.getOutputStream().close();
      byte[] output = process.getInputStream().readNBytes(1 << 12);
      if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw failure(new String(output, StandardCharsets.UTF_8).strip(), null);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw failure("interrupted", interrupted);
    } finally {
      process.destroyForcibly();
    }
  }

  private static MachineException failure(String why, @Nullable Throwable cause) {
    return new MachineException(
        new Problem(
            "the disk of virtual machines cannot be formatted",
            why,
            "Install mke2fs (Debian: e2fsprogs), and check the disk's free space"),
        cause);
  }
}
