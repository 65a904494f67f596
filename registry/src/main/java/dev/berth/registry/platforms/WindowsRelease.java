package dev.berth.registry.platforms;

import dev.berth.api.platforms.WindowsVersion;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// A release of Windows Server, as tags of container images and names of classes have it.
///
/// @param names the first is the usual one
/// @param version a version with a monthly patch, as an image has it
public record WindowsRelease(List<String> names, String version, boolean isLongTerm) {
  /// From old to new.
  public static final List<WindowsRelease> KNOWN =
      List.of(
          new WindowsRelease(List.of("1809", "ltsc2019", "17763"), "10.0.17763.6775", true),
          new WindowsRelease(List.of("1903", "18362"), "10.0.18362.1256", false),
          new WindowsRelease(List.of("1909", "18363"), "10.0.18363.1556", false),
          new WindowsRelease(List.of("2004", "19041"), "10.0.19041.1415", false),
          new WindowsRelease(List.of("20h2", "19042"), "10.0.19042.1889", false),
          new WindowsRelease(List.of("ltsc2022", "21h2", "20348"), "10.0.20348.2966", true),
          new WindowsRelease(List.of("23h2", "25398"), "10.0.25398.1308", false),
          new WindowsRelease(List.of("ltsc2025", "24h2", "26100"), "10.0.26100.2605", true));

  public WindowsRelease {
    names = List.copyOf(names);
  }

  public String name() {
    return names.getFirst();
  }

  public int build() {
    return WindowsVersion.parse(version).orElseThrow().build();
  }

  /// The release of a build, if it is a known one.
  public static Optional<WindowsRelease> ofBuild(int build) {
    return KNOWN.stream().filter(release -> release.build() == build).findFirst();
  }

  /// How people name a release: `Windows Server 2019 (10.0.17763)`. A build that is none of the
  /// known releases is `Windows (10.0.17134)`.
  public static String product(WindowsVersion version) {
    String name = ofBuild(version.build()).map(WindowsRelease::product).orElse("Windows");
    return "%s (%s)".formatted(name, version.label());
  }

  private String product() {
    return switch (name()) {
      case "1809" -> "Windows Server 2019";
      case "ltsc2022" -> "Windows Server 2022";
      case "ltsc2025" -> "Windows Server 2025";
      default -> "Windows Server, version " + name().toUpperCase(Locale.ROOT);
    };
  }

  /// The release that a tag names: `1809`, `1.25-windowsservercore-ltsc2022`, `ltsc2019-amd64`.
  public static Optional<WindowsRelease> ofTag(String tag) {
    List<String> words = List.of(tag.toLowerCase(Locale.ROOT).split("[-_]", -1));
    return KNOWN.stream()
        .filter(release -> release.names.stream().anyMatch(words::contains))
        .findFirst();
  }
}
