package dev.berth.sim.profile;

import java.util.List;
import java.util.Optional;

/// Operating system, architecture and version, as image indexes write them.
///
/// @param variant of the architecture, such as `v8`; may be empty
/// @param osVersion of Windows, such as `10.0.20348.2340`; may be empty
public record ImagePlatform(String os, String architecture, String variant, String osVersion) {
  public static final String WINDOWS = "windows";
  public static final String LINUX = "linux";

  private static final List<String> SYSTEMS = List.of(LINUX, WINDOWS);

  /// Reads `os/architecture[/variant]`; empty when the text is something else.
  public static Optional<ImagePlatform> parse(String text) {
    String[] parts = text.split("/", -1);
    if (parts.length < 2 || parts.length > 3 || !SYSTEMS.contains(parts[0]) || text.endsWith("/")) {
      return Optional.empty();
    }
    return Optional.of(
        new ImagePlatform(parts[0], parts[1], parts.length == 3 ? parts[2] : "", ""));
  }

  public boolean isWindows() {
    return os.equals(WINDOWS);
  }

  public ImagePlatform withOsVersion(String version) {
    return new ImagePlatform(os, architecture, variant, version);
  }

  /// Without the version, as it is written in an index.
  public String text() {
    return os + "/" + architecture + (variant.isEmpty() ? "" : "/" + variant);
  }

  @Override
  public String toString() {
    return text() + (osVersion.isEmpty() ? "" : " " + osVersion);
  }
}
