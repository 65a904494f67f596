package dev.berth.launch.containerd.programs;

import dev.berth.api.Problem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/// Installs Debian's packages of a container runtime, without those that they only recommend.
public final class PackageInstallation {
  private static final List<String> PACKAGES =
      List.of(
          "containerd",
          "runc",
          "crun",
          "containernetworking-plugins",
          "busybox-static",
          "iproute2");

  /// Lines of apt-get that a user wants to see while it works.
  private static final Pattern PROGRESS = Pattern.compile("(Get:|Unpacking|Setting up|E:).*");

  private PackageInstallation() {}

  /// Installs what is missing.
  ///
  /// @param progress receives a line per package that is fetched or set up
  public static void run(Consumer<String> progress) {
    if (isComplete()) {
      progress.accept("All packages for containers are installed.");
      return;
    }
    if (!ProgramRunner.succeeds("apt-get", "--version")) {
      throw refusal(
          "apt-get does not exist on this machine", "Install these packages by other means: ");
    }
    if (!"root".equals(System.getProperty("user.name"))) {
      throw refusal("only root can install packages", "Run as root: sudo apt-get install ");
    }
    progress.accept("Installing " + String.join(", ", PACKAGES) + ":");
    if (!install(progress)) {
      // The lists of packages may be old or absent, as in fresh images of Debian.
      aptGet(List.of("update"), progress);
      if (!install(progress) || !isComplete()) {
        throw refusal("apt-get failed, see its output above", "Run it manually: apt-get install ");
      }
    }
  }

  private static boolean isComplete() {
    RuntimePrograms programs = RuntimePrograms.ofThisMachine();
    return programs.missing().isEmpty() && programs.handlers().size() == 2;
  }

  private static boolean install(Consumer<String> progress) {
    List<String> words = new ArrayList<>(List.of("install", "--no-install-recommends"));
    words.addAll(PACKAGES);
    return aptGet(words, progress);
  }

  private static boolean aptGet(List<String> words, Consumer<String> progress) {
    List<String> command = new ArrayList<>(List.of("apt-get", "--yes", "--quiet"));
    command.addAll(words);
    ProcessBuilder builder = ProgramRunner.prepare(command);
    builder.environment().put("DEBIAN_FRONTEND", "noninteractive");
    try {
      Process process = builder.start();
      // apt-get must not wait for an answer that nobody can give.
      process.getOutputStream().close();
      try (var output = process.inputReader(StandardCharsets.UTF_8)) {
        output
            .lines()
            .filter(line -> PROGRESS.matcher(line).matches())
            .forEach(line -> progress.accept("  " + line));
      }
      return process.waitFor() == 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static ContainerdException refusal(String why, String remedy) {
    return new ContainerdException(
        new Problem("packages cannot be installed", why, remedy + String.join(" ", PACKAGES)));
  }
}
