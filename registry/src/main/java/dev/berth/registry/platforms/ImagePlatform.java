package dev.berth.registry.platforms;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Operating system, architecture and version, as image indexes write them.
///
/// @param variant of the architecture, such as `v8`; may be empty
/// @param osVersion of Windows, such as `10.0.20348.2340`; may be empty
/// @param osFeatures what an image needs of its system (`os.features`); mostly empty
public record ImagePlatform(
    String os, String architecture, String variant, String osVersion, Set<String> osFeatures) {
  public static final String WINDOWS = "windows";
  public static final String LINUX = "linux";

  private static final List<String> SYSTEMS = List.of(LINUX, WINDOWS);

  /// The forms of `toString` and of containerd: a version after a space, or in parentheses after
  /// the system.
  private static final Pattern WITH_VERSION =
      Pattern.compile(
          "([a-zA-Z0-9]+)(?:\\(([0-9.]+)\\))?/([a-zA-Z0-9_-]+)(?:/([a-zA-Z0-9.]+))?(?: ([0-9.]+))?");

  public ImagePlatform {
    osFeatures = Set.copyOf(osFeatures);
  }

  /// A platform without features, which is the usual one.
  public ImagePlatform(String os, String architecture, String variant, String osVersion) {
    this(os, architecture, variant, osVersion, Set.of());
  }

  /// Reads `os/architecture[/variant]`; empty when the text is something else.
  public static Optional<ImagePlatform> parse(String text) {
    String[] parts = text.split("/", -1);
    if (parts.length < 2 || parts.length > 3 || !SYSTEMS.contains(parts[0]) || text.endsWith("/")) {
      return Optional.empty();
    }
    return Optional.of(
        new ImagePlatform(parts[0], parts[1], parts.length == 3 ? parts[2] : "", ""));
  }

  /// Reads what `parse` reads, also with a version: `windows/amd64 10.0.17763`, or as containerd
  /// writes it, `windows(10.0.17763)/amd64`.
  public static Optional<ImagePlatform> parseWithVersion(String text) {
    Matcher matcher = WITH_VERSION.matcher(text);
    if (!matcher.matches() || !SYSTEMS.contains(matcher.group(1))) {
      return Optional.empty();
    }
    String inside = matcher.group(2);
    String behind = matcher.group(5);
    if (inside != null && behind != null) {
      return Optional.empty();
    }
    String variant = matcher.group(4);
    return Optional.of(
        new ImagePlatform(
            matcher.group(1),
            matcher.group(3),
            variant == null ? "" : variant,
            inside != null ? inside : behind != null ? behind : ""));
  }

  public boolean isWindows() {
    return os.equals(WINDOWS);
  }

  public ImagePlatform withOsVersion(String version) {
    return new ImagePlatform(os, architecture, variant, version, osFeatures);
  }

  /// With the usual spelling of system, architecture and variant: `arm64/v8` and `aarch64` are
  /// `arm64`, `arm` is `arm/v7`, `x86_64` and `amd64/v1` are `amd64`.
  public ImagePlatform normalized() {
    String system = os.toLowerCase(Locale.ROOT);
    String kind = variant.toLowerCase(Locale.ROOT);
    return switch (architecture.toLowerCase(Locale.ROOT)) {
      case "amd64", "x86_64", "x86-64" -> with(system, "amd64", kind.equals("v1") ? "" : kind);
      case "386", "i386" -> with(system, "386", "");
      case "arm64", "aarch64" ->
          with(system, "arm64", kind.equals("v8") || kind.equals("8") ? "" : kind);
      case "armhf" -> with(system, "arm", "v7");
      case "armel" -> with(system, "arm", "v6");
      case "arm" -> with(system, "arm", armVariant(kind));
      case String other -> with(system, other, kind);
    };
  }

  private static String armVariant(String variant) {
    return variant.isEmpty() ? "v7" : variant.startsWith("v") ? variant : "v" + variant;
  }

  private ImagePlatform with(String system, String normalArchitecture, String normalVariant) {
    boolean same =
        system.equals(os)
            && normalArchitecture.equals(architecture)
            && normalVariant.equals(variant);
    return same
        ? this
        : new ImagePlatform(system, normalArchitecture, normalVariant, osVersion, osFeatures);
  }

  /// Without the version, as it is written in an index.
  public String text() {
    return os + "/" + architecture + (variant.isEmpty() ? "" : "/" + variant);
  }

  /// As a list of what an image has: with the features that the image needs, but for one that every
  /// Windows has.
  public String describe() {
    Set<String> needed = new TreeSet<>(osFeatures);
    needed.remove(PlatformMatcher.IGNORED_FEATURE);
    return needed.isEmpty() ? toString() : this + " with " + String.join("+", needed);
  }

  @Override
  public String toString() {
    return text() + (osVersion.isEmpty() ? "" : " " + osVersion);
  }
}
