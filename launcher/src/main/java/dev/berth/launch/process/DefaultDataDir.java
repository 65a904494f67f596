package dev.berth.launch.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The data directory that is used when none is given.
public final class DefaultDataDir {
  private DefaultDataDir() {}

  /// The default of this process's user.
  public static Path ofThisUser() {
    return of(isRoot(), Path.of(System.getProperty("user.home")), System.getenv());
  }

  /// `/var/lib/berth` for root, else below the XDG data home.
  ///
  /// @param home of the user as the system knows them; `HOME` comes first, as for other programs
  static Path of(boolean root, Path home, Map<String, String> environment) {
    if (root) {
      return Path.of("/var/lib/berth");
    }
    return absolute(
            environment.get("XDG_DATA_HOME"),
            absolute(environment.get("HOME"), home).resolve(".local/share"))
        .resolve("berth");
  }

  /// The XDG specification says to ignore a relative path.
  private static Path absolute(@Nullable String configured, Path otherwise) {
    return configured != null && configured.startsWith("/") ? Path.of(configured) : otherwise;
  }

  /// Whether this process runs as root, by its effective files in `/proc`; elsewhere by the user's
  /// name.
  public static boolean isRoot() {
    try {
      return Files.getAttribute(Path.of("/proc/self"), "unix:uid") instanceof Integer uid
          && uid == 0;
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return "root".equals(System.getProperty("user.name"));
    }
  }
}
