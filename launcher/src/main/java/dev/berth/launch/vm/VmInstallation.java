package dev.berth.launch.vm;

import dev.berth.api.Problem;
import dev.berth.launch.containerd.programs.DebianPackages;
import dev.berth.launch.containerd.programs.ProgramRunner;
import dev.berth.launch.process.LaunchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Installs what virtual machines need: Debian's packages, and a kernel for guests. The kernel is
/// unpacked into a directory and never installed: it would be the next one that the machine boots.
///
/// @param directory becomes a root directory with `boot` and `lib/modules`
/// @param progress receives a line per step
public record VmInstallation(Path directory, Consumer<String> progress) {
  private static final List<String> PACKAGES =
      List.of("qemu-system-x86", "qemu-utils", "erofs-utils", "busybox-static", "iproute2");

  private static final String KERNEL = "linux-image-cloud-amd64";

  /// The package above is empty and depends on the newest kernel.
  private static final Pattern NEWEST = Pattern.compile("Depends: (linux-image-[0-9]\\S*)");

  /// Installs into a data directory of `berth up`.
  public static void run(Path dataDir, Consumer<String> progress) {
    new VmInstallation(VmDirectory.in(dataDir).kernel(), progress).run();
  }

  private void run() {
    VmRequirements now = VmRequirements.ofThisMachine(List.of(directory, Path.of("/")));
    if (!now.isSupportedSystem()) {
      progress.accept("Virtual machines: " + now.obstacle() + ".");
      return;
    }
    DebianPackages packages = new DebianPackages(PACKAGES, progress);
    if (now.missing().isEmpty()) {
      progress.accept("All packages for virtual machines are installed.");
    } else {
      packages.install(() -> VmRequirements.ofThisMachine(List.of()).missing().isEmpty());
    }
    if (now.kernel().isPresent()) {
      progress.accept("The kernel of guests is there: " + now.kernel().get());
      return;
    }
    packages.requireTools();
    try {
      unpack(newest(packages));
    } catch (IOException e) {
      throw new LaunchException(
          new Problem(
              "the kernel of guests cannot be unpacked into " + directory,
              String.valueOf(e.getMessage()),
              "Check the network and the disk, and run `berth up --install` again"),
          e);
    }
  }

  /// The package that has the newest kernel.
  private static String newest(DebianPackages packages) throws IOException {
    List<String> ask = List.of("apt-cache", "depends", KERNEL);
    Matcher found = NEWEST.matcher(ProgramRunner.run(ask));
    if (found.find()) {
      return found.group(1);
    }
    packages.update();
    Matcher later = NEWEST.matcher(ProgramRunner.run(ask));
    if (later.find()) {
      return later.group(1);
    }
    throw new IOException("apt-cache knows no package that %s depends on".formatted(KERNEL));
  }

  /// Downloads and unpacks a package beside the directory, which appears complete or not at all.
  private void unpack(String kernel) throws IOException {
    Path unfinished = directory.resolveSibling(directory.getFileName() + ".new");
    remove(unfinished);
    Path archives = unfinished.resolve("archives");
    Files.createDirectories(archives);
    progress.accept("Downloading " + kernel + " for guests:");
    new DebianPackages(List.of(kernel), progress).download(archives);
    for (Path archive : list(archives)) {
      ProgramRunner.run(List.of("dpkg-deb", "-x", archive.toString(), unfinished.toString()));
    }
    remove(archives);
    // The index of modules is not in the package.
    ProgramRunner.run(
        List.of(
            "busybox",
            "depmod",
            "-b",
            unfinished.toString(),
            kernel.substring("linux-image-".length())));
    remove(directory);
    Files.move(unfinished, directory, StandardCopyOption.ATOMIC_MOVE);
    progress.accept("  unpacked into " + directory + ", not installed");
  }

  private static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    }
  }

  private static void remove(Path directory) throws IOException {
    if (Files.exists(directory)) {
      ProgramRunner.run(List.of("rm", "-rf", directory.toString()));
    }
  }
}
