package dev.berth.sim.profile;

import dev.berth.api.platforms.WindowsVersion;
import dev.berth.registry.platforms.ImagePlatform;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The system that a simulated runtime plays: one of the named profiles, or a variation of one.
///
/// @param name the name in the configuration
/// @param platform the platform of the host
/// @param runtimeName and `runtimeVersion`: what `Version` returns
/// @param virtualMachines whether the service also serves the contract for virtual machines
/// @param handlers at least one; exactly one is the default
/// @param cpus processors of the host, the upper bound of a container's limits
public record SimProfile(
    String name,
    ImagePlatform platform,
    String runtimeName,
    String runtimeVersion,
    ContractCompatibility compatibility,
    boolean virtualMachines,
    List<SimHandler> handlers,
    int cpus) {
  /// Of simulated runtimes for containers.
  public static final String RUNTIME_NAME = "berth-sim";

  /// The names that `named` accepts.
  public static final List<String> NAMES =
      List.of("linux/amd64", "linux/arm64", "windows/amd64", "vm");

  public static final String DEFAULT_WINDOWS = "10.0.20348.2340";

  private static final String RUNC = "io.containerd.runc.v2";
  private static final String RUNHCS = "io.containerd.runhcs.v1";
  private static final String CONTAINERD = "1.6.20";
  private static final int CPUS = 8;

  public SimProfile {
    handlers = List.copyOf(handlers);
  }

  public static Optional<SimProfile> named(String name) {
    return switch (name) {
      case "linux/amd64", "linux/arm64" ->
          ImagePlatform.parse(name).map(platform -> containers(name, platform, linuxHandlers()));
      case "windows/amd64" ->
          ImagePlatform.parse(name)
              .map(platform -> platform.withOsVersion(DEFAULT_WINDOWS))
              .map(platform -> containers(name, platform, windowsHandlers()));
      case "vm" -> ImagePlatform.parse("linux/amd64").map(SimProfile::hypervisor);
      default -> Optional.empty();
    };
  }

  public SimHandler defaultHandler() {
    return handlers.stream().filter(SimHandler::isDefault).findFirst().orElseThrow();
  }

  /// Finds a handler by name. The empty name is the default handler.
  public Optional<SimHandler> handler(String name) {
    return name.isEmpty()
        ? Optional.of(defaultHandler())
        : handlers.stream().filter(handler -> handler.name().equals(name)).findFirst();
  }

  /// The canonical name of a handler: empty for the default, which may be asked for by its own name
  /// or by none.
  public String canonical(String handlerName) {
    return handlerName.equals(defaultHandler().name()) ? "" : handlerName;
  }

  public SimProfile withHandlers(List<SimHandler> others) {
    return new SimProfile(
        name, platform, runtimeName, runtimeVersion, compatibility, virtualMachines, others, cpus);
  }

  /// As Debian's containerd, which chooses images for the host and not for the handler.
  public SimProfile asContainerd() {
    return new SimProfile(
        name,
        platform,
        "containerd",
        CONTAINERD,
        ContractCompatibility.CONTAINERD_1_6,
        virtualMachines,
        handlers,
        cpus);
  }

  public SimProfile withPlatform(ImagePlatform other) {
    return new SimProfile(
        name, other, runtimeName, runtimeVersion, compatibility, virtualMachines, handlers, cpus);
  }

  /// The version of a Windows host; empty on other systems.
  public Optional<WindowsVersion> windows() {
    return platform.isWindows() ? WindowsVersion.parse(platform.osVersion()) : Optional.empty();
  }

  private static SimProfile containers(
      String name, ImagePlatform platform, List<SimHandler> handlers) {
    return new SimProfile(
        name,
        platform,
        RUNTIME_NAME,
        "1.0.0",
        ContractCompatibility.CURRENT,
        false,
        handlers,
        CPUS);
  }

  private static SimProfile hypervisor(ImagePlatform platform) {
    SimHandler vm = new SimHandler("vm", true, "dev.berth.vm.v1", Map.of(), false, false);
    return new SimProfile(
        "vm",
        platform,
        "berth-sim-vm",
        "1.0.0",
        ContractCompatibility.CURRENT,
        true,
        List.of(vm),
        CPUS);
  }

  private static List<SimHandler> linuxHandlers() {
    return List.of(new SimHandler("runc", true, RUNC, Map.of("BinaryName", "runc"), true, true));
  }

  private static List<SimHandler> windowsHandlers() {
    return List.of(
        new SimHandler("runhcs-wcow-process", true, RUNHCS, Map.of(), false, false),
        new SimHandler(
            "runhcs-wcow-hypervisor",
            false,
            RUNHCS,
            Map.of(SimHandler.PLATFORM, "windows/amd64", SimHandler.ISOLATION, "1"),
            false,
            false));
  }
}
