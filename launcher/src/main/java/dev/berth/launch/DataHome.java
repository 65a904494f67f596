package dev.berth.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/// The data folder that is used when none is given.
public final class DataHome {
  private DataHome() {}

  /// The default of this process's user.
  public static Path ofThisUser() {
    return of(isRoot(), Path.of(System.getProperty("user.home")), System.getenv());
  }

  /// `/var/lib/berth` for root, else below the XDG data home.
  static Path of(boolean root, Path home, Map<String, String> environment) {
    if (root) {
      return Path.of("/var/lib/berth");
    }
    String configured = environment.getOrDefault("XDG_DATA_HOME", "");
    // The XDG specification says to ignore a relative path.
    Path base = configured.startsWith("/") ? Path.of(configured) : home.resolve(".local/share");
    return base.resolve("berth");
  }

  private static boolean isRoot() {
    try {
      return Files.getAttribute(Path.of("/proc/self"), "unix:uid") instanceof Integer uid
          && uid == 0;
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return "root".equals(System.getProperty("user.name"));
    }
  }
}
