package dev.berth.sim.profile;

import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.platforms.TargetPlatform;
import java.util.Map;

/// A named configuration of the runtime. The handler of a RuntimeClass names it.
///
/// @param type the shim's name, such as `io.containerd.runc.v2`
/// @param options as in containerd's configuration. `SandboxPlatform`, `SandboxOsVersion` and
///   `SandboxIsolation` (1 is Hyper-V) describe its guests. `ExclusiveProcessorLimits` (true)
///   refuses processor limits that exclude each other, as newer shims do.
public record SimHandler(
    String name,
    boolean isDefault,
    String type,
    Map<String, String> options,
    boolean recursiveReadOnlyMounts,
    boolean userNamespaces) {
  public static final String PLATFORM = TargetPlatform.PLATFORM_OPTION;
  public static final String OS_VERSION = TargetPlatform.VERSION_OPTION;
  public static final String ISOLATION = TargetPlatform.ISOLATION_OPTION;
  public static final String EXCLUSIVE = "ExclusiveProcessorLimits";

  public SimHandler {
    options = Map.copyOf(options);
  }

  /// Whether each pod runs in a virtual machine with a kernel of its own.
  public boolean isHypervisor() {
    return "1".equals(options.get(ISOLATION));
  }

  /// Whether a Windows container may have only one kind of processor limit.
  public boolean isExclusive() {
    return Boolean.parseBoolean(options.get(EXCLUSIVE));
  }

  /// The platform of its containers on the given host.
  public ImagePlatform platform(ImagePlatform host) {
    return target(host).platform();
  }

  /// The platform that its containers need, and for Windows their isolation, on the given host.
  public TargetPlatform target(ImagePlatform host) {
    return TargetPlatform.ofHandler(host, options);
  }
}
