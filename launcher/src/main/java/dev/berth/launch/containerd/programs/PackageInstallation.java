package dev.berth.launch.containerd.programs;

import java.util.List;
import java.util.function.Consumer;

/// Installs Debian's packages of a container runtime.
public final class PackageInstallation {
  private static final List<String> PACKAGES =
      List.of(
          "containerd",
          "runc",
          "crun",
          "containernetworking-plugins",
          "busybox-static",
          "iproute2");

  private PackageInstallation() {}

  /// Installs what is missing.
  ///
  /// @param progress receives a line per package that is fetched or set up
  public static void run(Consumer<String> progress) {
    if (isComplete()) {
      progress.accept("All packages for containers are installed.");
    } else {
      new DebianPackages(PACKAGES, progress).install(PackageInstallation::isComplete);
    }
  }

  private static boolean isComplete() {
    RuntimePrograms programs = RuntimePrograms.ofThisMachine();
    return programs.missing().isEmpty() && programs.handlers().size() == 2;
  }
}
