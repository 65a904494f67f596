package dev.berth.launch.containerd.programs;

import dev.berth.api.Problem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/// Installs packages with apt-get, without those that they only recommend.
///
/// @param names of the packages
/// @param progress receives a line per package that is fetched or set up
public record DebianPackages(List<String> names, Consumer<String> progress) {
  /// Lines of apt-get that a user wants to see while it works.
  private static final Pattern PROGRESS = Pattern.compile("(Get:|Unpacking|Setting up|E:).*");

  public DebianPackages {
    names = List.copyOf(names);
  }

  /// Installs the packages.
  ///
  /// @param isComplete whether nothing is missing afterwards
  public void install(BooleanSupplier isComplete) {
    requireTools();
    progress.accept("Installing " + String.join(", ", names) + ":");
    if (!install()) {
      // The lists of packages may be old or absent, as in fresh images of Debian.
      update();
      if (!install() || !isComplete.getAsBoolean()) {
        throw refusal("apt-get failed, see its output above", "Run it manually: apt-get install ");
      }
    }
  }

  /// Refuses where packages cannot be installed.
  public void requireTools() {
    if (!ProgramRunner.succeeds("apt-get", "--version")) {
      throw refusal(
          "apt-get does not exist on this machine", "Install these packages by other means: ");
    }
    if (!"root".equals(System.getProperty("user.name"))) {
      throw refusal("only root can install packages", "Run as root: sudo apt-get install ");
    }
  }

  private boolean install() {
    List<String> words = new ArrayList<>(List.of("install", "--no-install-recommends"));
    words.addAll(names);
    return aptGet(words, Path.of("/"));
  }

  /// Reads the lists of packages again.
  public void update() {
    aptGet(List.of("update"), Path.of("/"));
  }

  /// Downloads the archives of the packages and installs nothing.
  public void download(Path directory) throws IOException {
    // apt-get gives its privileges away for a download, and its own user may not write there.
    List<String> words = new ArrayList<>(List.of("-o", "APT::Sandbox::User=root", "download"));
    words.addAll(names);
    if (!aptGet(words, directory)) {
      update();
      if (!aptGet(words, directory)) {
        throw new IOException("apt-get cannot download " + String.join(", ", names));
      }
    }
  }

  private boolean aptGet(List<String> words, Path directory) {
    List<String> command = new ArrayList<>(List.of("apt-get", "--yes", "--quiet"));
    command.addAll(words);
    ProcessBuilder builder = ProgramRunner.prepare(command).directory(directory.toFile());
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

  private ContainerdException refusal(String why, String remedy) {
    return new ContainerdException(
        new Problem("packages cannot be installed", why, remedy + String.join(" ", names)));
  }
}
