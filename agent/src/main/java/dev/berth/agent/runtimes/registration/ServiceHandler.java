package dev.berth.agent.runtimes.registration;

import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.platforms.TargetPlatform;
import dev.berth.registry.platforms.WindowsRule;
import org.jspecify.annotations.Nullable;

/// One way in which a runtime service runs pods; a RuntimeClass names it.
///
/// @param name empty for the one that is used when a pod names none
/// @param isolation on Windows
/// @param platform what its containers are made for; null when nobody says, which means the host's
public record ServiceHandler(
    String name,
    boolean recursiveReadOnlyMounts,
    boolean userNamespaces,
    HandlerIsolation isolation,
    @Nullable ImagePlatform platform) {
  public ServiceHandler(String name, boolean recursiveReadOnlyMounts, boolean userNamespaces) {
    this(name, recursiveReadOnlyMounts, userNamespaces, HandlerIsolation.UNKNOWN, null);
  }

  /// A handler of which nothing but its name is known.
  public static ServiceHandler named(String name) {
    return new ServiceHandler(name, false, false);
  }

  public ServiceHandler with(HandlerIsolation known) {
    return new ServiceHandler(name, recursiveReadOnlyMounts, userNamespaces, known, platform);
  }

  public ServiceHandler with(@Nullable ImagePlatform known) {
    return new ServiceHandler(name, recursiveReadOnlyMounts, userNamespaces, isolation, known);
  }

  /// Adds what another source knows about isolation and platform; that source counts more.
  public ServiceHandler refinedBy(ServiceHandler other) {
    ServiceHandler isolated =
        other.isolation == HandlerIsolation.UNKNOWN ? this : with(other.isolation);
    return other.platform == null ? isolated : isolated.with(other.platform);
  }

  /// Which images the handler runs.
  ///
  /// @param host on Windows with its version
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
