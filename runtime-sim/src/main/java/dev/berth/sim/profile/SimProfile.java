package dev.berth.sim.profile;

import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.platforms.WindowsVersion;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What a simulated runtime is; one of the named ones, or a variation of it.
///
/// @param name how it was asked for
/// @param platform of the host
/// @param runtimeName and `runtimeVersion`: what `Version` answers
/// @param virtualMachines whether it serves the contract for virtual machines, too
/// @param handlers at least one, exactly one of them the default
/// @param cpus of the host, which bound what a container may ask for
public record SimProfile(
    String name,
    ImagePlatform platform,
    String runtimeName,
    String runtimeVersion,
    ContractCompatibility compatibility,
    boolean virtualMachines,
    List<SimHandler> handlers,
    int cpus) {
  /// The names that `named` knows.
  public static final List<String> NAMES =
      List.of("linux/amd64", "linux/arm64", "windows/amd64", "vm");

  public static final String DEFAULT_WINDOWS = "10.0.20348.2340";

  private static final String RUNC = "io.containerd.runc.v2";
  private static final String RUNHCS = "io.containerd.runhcs.v1";
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

  /// The handler of a name; the empty name is the default.
  public Optional<SimHandler> handler(String wanted) {
    return wanted.isEmpty()
        ? Optional.of(defaultHandler())
        : handlers.stream().filter(handler -> handler.name().equals(wanted)).findFirst();
  }

  /// The one spelling of a handler's name: the default's own name means the same as the empty one.
  public String canonical(String handlerName) {
    return handlerName.equals(defaultHandler().name()) ? "" : handlerName;
  }

  public SimProfile withHandlers(List<SimHandler> others) {
    return new SimProfile(
        name, platform, runtimeName, runtimeVersion, compatibility, virtualMachines, others, cpus);
  }

  public SimProfile withPlatform(ImagePlatform other) {
    return new SimProfile(
        name, other, runtimeName, runtimeVersion, compatibility, virtualMachines, handlers, cpus);
  }

  /// The version of Windows that the host runs; empty on other systems.
  public Optional<WindowsVersion> windows() {
    return platform.isWindows() ? WindowsVersion.parse(platform.osVersion()) : Optional.empty();
  }

  private static SimProfile containers(
      String name, ImagePlatform platform, List<SimHandler> handlers) {
    return new SimProfile(
        name, platform, "berth-sim", "1.0.0", ContractCompatibility.CURRENT, false, handlers, CPUS);
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
