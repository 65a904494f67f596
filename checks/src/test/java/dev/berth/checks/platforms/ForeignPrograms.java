package dev.berth.checks.platforms;

import dev.berth.checks.containerd.Commands;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Lets the kernel run programs of other architectures by QEMU (binfmt_misc) while a test lasts.
///
/// With flag F the kernel opens QEMU at registration, so that it works in containers.
final class ForeignPrograms implements AutoCloseable {
  private static final Path KERNEL = Path.of("/proc/sys/fs/binfmt_misc");
  private static final Path RULES = Path.of("/usr/lib/binfmt.d");
  private static final Path UNPACKED = Path.of("..", "target", "foreign");

  private final List<Path> registered = new ArrayList<>();
  private boolean isMountedHere;

  private ForeignPrograms() {}

  /// Debian's static busybox for an architecture.
  static Path busybox(String debianArchitecture) {
    return UNPACKED.resolve(debianArchitecture).resolve("bin/busybox");
  }

  static boolean areUnpacked() {
    return Files.isExecutable(busybox("arm64")) && Files.isExecutable(busybox("armhf"));
  }

  /// Empty where this machine does not let a test register interpreters.
  static Optional<ForeignPrograms> tryRegister() {
    try {
      return Optional.of(register());
    } catch (IOException e) {
      System.out.println("binfmt_misc cannot be used here: " + e.getMessage());
      return Optional.empty();
    }
  }

  private static ForeignPrograms register() throws IOException {
    ForeignPrograms programs = new ForeignPrograms();
    try {
      if (!Files.exists(KERNEL.resolve("register"))) {
        Commands.run(List.of("mount", "-t", "binfmt_misc", "none", KERNEL.toString()));
        programs.isMountedHere = true;
      }
      programs.register("aarch64");
      programs.register("arm");
      return programs;
    } catch (IOException e) {
      programs.close();
      throw e;
    }
  }

  /// Under a name of its own, beside what the machine may have.
  private void register(String architecture) throws IOException {
    String name = "berth-test-" + architecture;
    Path entry = KERNEL.resolve(name);
    if (Files.exists(entry)) {
      Files.writeString(entry, "-1");
    }
    // Debian's rule: `:qemu-aarch64:M::magic:mask:interpreter:flags`.
    byte[] rule = Files.readAllBytes(RULES.resolve("qemu-" + architecture + ".conf"));
    String text = new String(rule, StandardCharsets.ISO_8859_1).strip();
    String own = text.replaceFirst("^:qemu-" + architecture + ":", ":" + name + ":");
    Files.write(KERNEL.resolve("register"), own.getBytes(StandardCharsets.ISO_8859_1));
    registered.add(entry);
  }

  @Override
  public void close() throws IOException {
    for (Path entry : registered) {
      Files.writeString(entry, "-1");
    }
    if (isMountedHere) {
      Commands.run(List.of("umount", KERNEL.toString()));
    }
  }
}
