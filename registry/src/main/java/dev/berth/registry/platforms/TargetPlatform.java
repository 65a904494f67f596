package dev.berth.registry.platforms;

import dev.berth.api.platforms.WindowsRule;
import dev.berth.api.platforms.WindowsVersion;
import java.util.Map;
import java.util.Optional;

/// What a handler runs.
///
/// @param platform of its containers; on Windows its version is that of the host, or of the guest
///   that the handler names
/// @param windowsRule how far the version of a Windows container may be from it
public record TargetPlatform(ImagePlatform platform, WindowsRule windowsRule) {
  /// Options of a handler in containerd's configuration (KEP-1301): the platform of its guests,
  /// their version of Windows, and 1 for Hyper-V.
  public static final String PLATFORM_OPTION = "SandboxPlatform";

  public static final String VERSION_OPTION = "SandboxOsVersion";
  public static final String ISOLATION_OPTION = "SandboxIsolation";

  /// Containers that share the kernel of a host with this platform.
  public static TargetPlatform of(ImagePlatform platform) {
    return new TargetPlatform(platform, WindowsRule.PROCESS_ISOLATION);
  }

  /// What a handler runs whose options do not say otherwise than the host.
  public static TargetPlatform ofHandler(ImagePlatform host, Map<String, String> options) {
    ImagePlatform base =
        Optional.ofNullable(options.get(PLATFORM_OPTION))
            .flatMap(ImagePlatform::parse)
            .orElse(host);
    boolean isolated = "1".equals(options.get(ISOLATION_OPTION));
    return new TargetPlatform(
        base.isWindows()
            ? base.withOsVersion(options.getOrDefault(VERSION_OPTION, host.osVersion()))
            : base,
        isolated ? WindowsRule.HYPER_V : WindowsRule.PROCESS_ISOLATION);
  }

  /// As a person reads it: `linux/arm64`, `windows/amd64 10.0.17763`, with the builds that fit
  /// where these are several.
  @Override
  public String toString() {
    Optional<WindowsVersion> version =
        platform.isWindows() ? WindowsVersion.parse(platform.osVersion()) : Optional.empty();
    return version.map(this::text).orElse(platform.toString());
  }

  private String text(WindowsVersion version) {
    String exact = platform.text() + " " + version.label();
    return switch (windowsRule) {
      case HYPER_V -> exact + " or older under Hyper-V";
      case PROCESS_ISOLATION -> {
        int oldest = version.oldestProcessBuild();
        yield oldest == version.build()
            ? exact
            : "%s down to %d.%d.%d".formatted(exact, version.major(), version.minor(), oldest);
      }
      case SAME_BUILD -> exact;
    };
  }
}
