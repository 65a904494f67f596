package dev.berth.sim.model;

import dev.berth.api.platforms.WindowsVersion;
import dev.berth.cri.serving.CallRefusal;
import dev.berth.cri.v1.ContainerConfig;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.cri.v1.UpdateContainerResourcesRequest;
import dev.berth.cri.v1.WindowsContainerResources;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.sim.images.PulledImage;
import dev.berth.sim.profile.SimHandler;
import dev.berth.sim.profile.SimProfile;
import java.util.Optional;

/// The requests that a runtime of a given platform refuses: configuration for the other system,
/// resources that Windows does not have, images that the host cannot run.
final class PlatformRules {
  private static final long HIGHEST = 10_000;

  private final SimProfile profile;
  private final SimHandler handler;
  private final ImagePlatform guest;

  private PlatformRules(SimProfile profile, SimHandler handler) {
    this.profile = profile;
    this.handler = handler;
    this.guest = handler.platform(profile.platform());
  }

  /// The rules for a sandbox's handler. The default handler stands in for one that was removed
  /// after the sandbox was made.
  static PlatformRules of(
      SimProfile profile, @org.jspecify.annotations.Nullable SimHandler handler) {
    return new PlatformRules(profile, handler == null ? profile.defaultHandler() : handler);
  }

  /// Refuses a sandbox whose guest is newer than a Windows host: Hyper-V cannot start such a
  /// kernel.
  void checkSandbox(PodSandboxConfig config) {
    checkSystem("sandbox", config.hasLinux(), config.hasWindows());
    if (!handler.isHypervisor() || !guest.isWindows()) {
      return;
    }
    Optional<WindowsVersion> host = profile.windows();
    Optional<WindowsVersion> required = WindowsVersion.parse(guest.osVersion());
    if (host.isPresent() && required.isPresent() && !required.get().runsUnderHyperVOn(host.get())) {
      throw CallRefusal.invalid(
          "handler \"%s\" has SandboxOsVersion %s, which is newer than the host's %s: Hyper-V runs the same or an older build"
              .formatted(handler.name(), guest.osVersion(), profile.platform().osVersion()));
    }
  }

  void checkContainer(ContainerConfig config) {
    checkSystem("container", config.hasLinux(), config.hasWindows());
    if (config.hasWindows()) {
      checkWindows(config.getWindows().getResources());
    }
  }

  /// Refuses resources of the other system, and those that Windows does not have.
  void checkUpdate(UpdateContainerResourcesRequest request) {
    if (guest.isWindows() ? request.hasLinux() : request.hasWindows()) {
      throw CallRefusal.invalid(
          "container runs %s: resources for %s cannot be applied"
              .formatted(guest.os(), guest.isWindows() ? "linux" : "windows"));
    }
    if (request.hasWindows()) {
      checkWindows(request.getWindows());
    }
  }

  /// Fails as Windows' Host Compute Service does when it creates a container from an image of
  /// another build.
  void checkImage(String id, PulledImage image) {
    String failed = "failed to create containerd container \"%s\": ".formatted(id);
    if (!image.platform().os().equals(guest.os())) {
      throw CallRefusal.unknown(
          "%simage %s is for %s, the handler runs %s"
              .formatted(failed, image.reference(), image.platform(), guest));
    }
    if (guest.isWindows() && !runs(image.platform().osVersion())) {
      throw CallRefusal.unknown(
          "%sThe container operating system does not match the host operating system: image %s is for %s, %s runs %s"
              .formatted(
                  failed,
                  image.reference(),
                  image.platform().osVersion(),
                  handler.isHypervisor() ? "Hyper-V" : "process isolation",
                  guest.osVersion() + (handler.isHypervisor() ? " and older" : "")));
    }
  }

  /// Whether the kernel of the handler runs images of a version. Under process isolation that is
  /// the host's kernel, under Hyper-V the guest's.
  private boolean runs(String imageVersion) {
    Optional<WindowsVersion> image = WindowsVersion.parse(imageVersion);
    Optional<WindowsVersion> kernel = WindowsVersion.parse(guest.osVersion());
    // A version that cannot be read is not compared.
    if (image.isEmpty() || kernel.isEmpty()) {
      return true;
    }
    return handler.isHypervisor()
        ? image.get().runsUnderHyperVOn(kernel.get())
        : image.get().runsAsProcessOn(kernel.get());
  }

  private void checkSystem(String what, boolean linux, boolean windows) {
    if (guest.isWindows() && linux) {
      throw CallRefusal.invalid(
          "%s config must not include linux: handler \"%s\" runs windows"
              .formatted(what, handler.name()));
    }
    if (guest.isWindows() && !windows) {
      throw CallRefusal.invalid(
          "%s config must include windows: handler \"%s\" runs windows"
              .formatted(what, handler.name()));
    }
    if (!guest.isWindows() && windows) {
      throw CallRefusal.invalid(
          "%s config must not include windows: handler \"%s\" runs %s"
              .formatted(what, handler.name(), guest.os()));
    }
  }

  private void checkWindows(WindowsContainerResources resources) {
    inRange("cpu_shares", resources.getCpuShares(), HIGHEST);
    inRange("cpu_maximum", resources.getCpuMaximum(), HIGHEST);
    inRange("cpu_count", resources.getCpuCount(), profile.cpus());
    inRange("memory_limit_in_bytes", resources.getMemoryLimitInBytes(), Long.MAX_VALUE);
    inRange("rootfs_size_in_bytes", resources.getRootfsSizeInBytes(), Long.MAX_VALUE);
    if (handler.isExclusive()) {
      checkExclusive(resources);
    }
  }

  private void checkExclusive(WindowsContainerResources resources) {
    boolean count = resources.getCpuCount() > 0;
    boolean shares = resources.getCpuShares() > 0;
    boolean maximum = resources.getCpuMaximum() > 0;
    // Under Hyper-V the maximum applies to each of the counted processors.
    boolean conflict =
        (shares && (count || maximum)) || (count && maximum && !handler.isHypervisor());
    if (conflict) {
      throw CallRefusal.invalid(
          "invalid windows resources: cpu_count %d, cpu_maximum %d and cpu_shares %d are mutually exclusive"
              .formatted(
                  resources.getCpuCount(), resources.getCpuMaximum(), resources.getCpuShares()));
    }
  }

  private static void inRange(String field, long value, long highest) {
    if (value < 0 || value > highest) {
      throw CallRefusal.invalid(
          "invalid windows resources: %s is %d, accepted are 1 to %d, or 0 for none"
              .formatted(field, value, highest));
    }
  }
}
