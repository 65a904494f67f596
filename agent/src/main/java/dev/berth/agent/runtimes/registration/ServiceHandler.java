package dev.berth.agent.runtimes.registration;

import dev.berth.api.platforms.WindowsRule;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.platforms.TargetPlatform;
import org.jspecify.annotations.Nullable;

/// A handler of a runtime service; a RuntimeClass names it.
///
/// @param name empty for the handler of pods that name none
/// @param isolation on Windows
/// @param platform the platform of its containers; null when unknown, which means the host's
public record ServiceHandler(
    String name,
    boolean recursiveReadOnlyMounts,
    boolean userNamespaces,
    HandlerIsolation isolation,
    @Nullable ImagePlatform platform) {
  public ServiceHandler(String name, boolean recursiveReadOnlyMounts, boolean userNamespaces) {
    this(name, recursiveReadOnlyMounts, userNamespaces, HandlerIsolation.UNKNOWN, null);
  }

  /// A handler with unknown features.
  public static ServiceHandler named(String name) {
    return new ServiceHandler(name, false, false);
  }

  public ServiceHandler with(HandlerIsolation known) {
    return new ServiceHandler(name, recursiveReadOnlyMounts, userNamespaces, known, platform);
  }

  public ServiceHandler with(@Nullable ImagePlatform known) {
    return new ServiceHandler(name, recursiveReadOnlyMounts, userNamespaces, isolation, known);
  }

  /// Merges isolation and platform from another source, which takes precedence.
  public ServiceHandler refinedBy(ServiceHandler other) {
    ServiceHandler isolated =
        other.isolation == HandlerIsolation.UNKNOWN ? this : with(other.isolation);
    return other.platform == null ? isolated : isolated.with(other.platform);
  }

  /// The platform of images for this handler.
  ///
  /// @param host with its version on Windows
  public TargetPlatform target(ImagePlatform host) {
    ImagePlatform own = platform == null ? host : platform;
    ImagePlatform whole =
        own.isWindows() && own.osVersion().isEmpty() ? own.withOsVersion(host.osVersion()) : own;
    return new TargetPlatform(
        whole,
        isolation == HandlerIsolation.HYPERV ? WindowsRule.HYPER_V : WindowsRule.PROCESS_ISOLATION);
  }

  @Override
  public String toString() {
    return name.isEmpty() ? "\"\"" : name;
  }
}
