package dev.berth.launch.vm;

import dev.berth.launch.containerd.programs.ProgramRunner;
import dev.berth.launch.process.DefaultDataDir;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What virtual machines need on this machine.
///
/// @param system such as `Linux amd64`
/// @param missing programs
/// @param kernel the first directory with a kernel and its modules
record VmRequirements(String system, boolean root, List<String> missing, Optional<Path> kernel) {
  private static final String SYSTEM = "Linux amd64";

  private static final String QEMU = "qemu-system-x86_64";

  /// Programs of iproute2 and util-linux make the networks of pods.
  private static final List<String> PROGRAMS =
      List.of(QEMU, "ip", "tc", "unshare", "nsenter", "setsid");

  /// @param kernels directories in which a kernel may be, such as `/`
  static VmRequirements ofThisMachine(List<Path> kernels) {
    return find(
        System.getProperty("os.name") + " " + System.getProperty("os.arch"),
        DefaultDataDir.isRoot(),
        Stream.of(ProgramRunner.path().split(":", -1)).map(Path::of).toList(),
        kernels);
  }

  static VmRequirements find(
      String system, boolean root, List<Path> directories, List<Path> kernels) {
    return new VmRequirements(
        system,
        root,
        PROGRAMS.stream()
            .filter(
                name ->
                    directories.stream()
                        .noneMatch(directory -> Files.isExecutable(directory.resolve(name))))
            .toList(),
        kernels.stream().filter(VmRequirements::hasKernel).findFirst());
  }

  /// Whether a directory has `boot/vmlinuz-RELEASE` with the modules of the release.
  static boolean hasKernel(Path root) {
    Path boot = root.resolve("boot");
    if (!Files.isDirectory(boot)) {
      return false;
    }
    try (Stream<Path> files = Files.list(boot)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith("vmlinuz-"))
          .map(name -> name.substring("vmlinuz-".length()))
          .anyMatch(
              release ->
                  Files.isReadable(
                      root.resolve("lib/modules").resolve(release).resolve("modules.dep")));
    } catch (IOException _) {
      return false;
    }
  }

  boolean isSupportedSystem() {
    return system.equals(SYSTEM);
  }

  boolean hasQemu() {
    return !missing.contains(QEMU);
  }

  /// Why no virtual machine can be started, with what to do, in one line; empty if one can.
  String obstacle() {
    if (!isSupportedSystem()) {
      return "they need %s, and this is %s".formatted(SYSTEM, system);
    }
    if (!missing.isEmpty()) {
      return String.join(", ", missing) + " missing; install with `berth up --install`";
    }
    if (kernel.isEmpty()) {
      return "no kernel for guests; download one with `berth up --install`";
    }
    return root ? "" : "only root can start them: `sudo ./berth up`";
  }
}
