package dev.berth.launch.runtimes;

import dev.berth.api.PrivateFiles;
import dev.berth.launch.process.DefaultDataDir;
import dev.berth.launch.runtimes.ClaimFile.Attempt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The directory in which all agents of a user keep the lock files of their runtime services. An
/// agent in a container has to share it with the machine: otherwise it locks other files.
public final class ClaimDirectory {
  private ClaimDirectory() {}

  public static Path ofThisUser() {
    return of(DefaultDataDir.isRoot(), System.getenv(), System.getProperty("user.name"));
  }

  /// `/run/berth` for root, else below the user's runtime directory.
  static Path of(boolean root, Map<String, String> environment, String user) {
    if (root) {
      return Path.of("/run/berth/claims");
    }
    String runtime = environment.getOrDefault("XDG_RUNTIME_DIR", "");
    return runtime.startsWith("/")
        ? Path.of(runtime, "berth", "claims")
        : Path.of("/tmp", "berth-" + user, "claims");
  }

  /// Creates the directory and makes it private. Every user can write to `/tmp`, so that a
  /// directory of another user is refused.
  static void create(Path directory) throws IOException {
    PrivateFiles.createDirectory(directory);
    Object owner = Files.getAttribute(directory, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    Object self = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    if (!owner.equals(self)) {
      throw new IOException("%s belongs to another user".formatted(directory));
    }
    PrivateFiles.createPrivateDirectory(directory);
  }

  /// Clears the claims of a data directory whose pods have ended, so that the next agent need not
  /// ask for them.
  public static void forget(Path directory, Path dataDir) throws IOException {
    if (!Files.isDirectory(directory)) {
      return;
    }
    List<Path> files;
    try (Stream<Path> all = Files.list(directory)) {
      files = all.toList();
    }
    for (Path file : files) {
      if (ClaimFile.lock(file) instanceof Attempt.Locked(var locked)) {
        try (locked) {
          if (ClaimHolder.parse(locked.before()).dataDir().equals(dataDir.toString())) {
            locked.write("");
          }
        }
      }
    }
  }
}
