package dev.berth.launch.agent;

import dev.berth.agent.node.machine.MachineInfo;
import dev.berth.agent.node.machine.MachineInfo.Size;
import dev.berth.agent.pods.PodSettings;
import dev.berth.agent.pods.config.NodeSettings;
import dev.berth.agent.pods.config.PlatformConfig;
import dev.berth.agent.pods.config.windows.WindowsPlatform;
import dev.berth.api.platforms.WindowsVersion;
import dev.berth.registry.platforms.WindowsRelease;
import dev.berth.sim.profile.SimHandler;
import dev.berth.sim.profile.SimProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Windows: this machine, or the system that runtime services on this machine simulate.
///
/// @param version such as `10.0.20348.2340`; its first three numbers are the build
public record WindowsSystem(String version) implements NodeSystem {
  private static final String USUAL = "10.0.20348.2340";
  private static final String PROCESS = "runhcs-wcow-process";
  private static final String HYPER_V = "runhcs-wcow-hypervisor";
  private static final Pattern BUILD = Pattern.compile("(\\d+\\.\\d+\\.\\d+)(\\.\\d+)?");

  static Optional<NodeSystem> parse(String text) {
    String version = text.equals("windows") ? USUAL : text.replaceFirst("^windows:", "");
    return BUILD.matcher(version).matches() && text.startsWith("windows")
        ? Optional.of(new WindowsSystem(version))
        : Optional.empty();
  }

  @Override
  public PlatformConfig platform(NodeSettings settings, PodSettings rules, boolean areReal) {
    return new WindowsPlatform(settings, rules.processors());
  }

  @Override
  public MachineInfo describe(MachineInfo machine) {
    if (machine.system().equals("windows")) {
      return machine;
    }
    Size size = machine.size();
    return new MachineInfo(
        "windows",
        "amd64",
        build(),
        version,
        "Windows (simulated)",
        machine.ids(),
        new Size(size.cpus(), size.memory(), size.storage(), Map.of()));
  }

  private String build() {
    Matcher numbers = BUILD.matcher(version);
    return numbers.matches() ? numbers.group(1) : version;
  }

  /// The profile with a handler for each older long-term release that Hyper-V runs.
  @Override
  public SimProfile simulated() {
    SimProfile profile = SimProfile.named("windows/amd64").orElseThrow();
    List<SimHandler> handlers = new ArrayList<>(profile.handlers());
    olderReleases().map(WindowsSystem::handler).forEach(handlers::add);
    return profile.withPlatform(profile.platform().withOsVersion(version)).withHandlers(handlers);
  }

  /// The classes for the host's own release without Hyper-V, for any image that Hyper-V can run,
  /// and for each older release, with the names and selectors of KEP-1301's stories.
  @Override
  public List<DefaultRuntimeClass> simulatedClasses() {
    List<DefaultRuntimeClass> classes = new ArrayList<>();
    classes.add(windowsClass("windows-" + releaseName(), PROCESS));
    classes.add(windowsClass("windows-hyperv", HYPER_V));
    olderReleases()
        .map(
            release ->
                windowsClass("windows-%s-hyperv".formatted(release.name()), handlerName(release)))
        .forEach(classes::add);
    return classes;
  }

  private DefaultRuntimeClass windowsClass(String name, String handler) {
    Map<String, String> selector =
        Map.of(
            "kubernetes.io/os", "windows",
            "kubernetes.io/arch", "amd64",
            "node.kubernetes.io/windows-build", build());
    return new DefaultRuntimeClass(name, handler, selector, "windows");
  }

  private String releaseName() {
    return WindowsVersion.parse(version)
        .flatMap(windows -> WindowsRelease.ofBuild(windows.build()))
        .map(WindowsRelease::name)
        .orElse(build());
  }

  /// The long-term releases before this one, whose containers Hyper-V runs.
  private Stream<WindowsRelease> olderReleases() {
    int build = WindowsVersion.parse(version).map(WindowsVersion::build).orElse(0);
    return WindowsRelease.KNOWN.stream()
        .filter(release -> release.isLongTerm() && release.build() < build);
  }

  private static SimHandler handler(WindowsRelease release) {
    Map<String, String> options =
        Map.of(
            SimHandler.PLATFORM, "windows/amd64",
            SimHandler.OS_VERSION, "10.0." + release.build(),
            SimHandler.ISOLATION, "1");
    return new SimHandler(
        handlerName(release), false, "io.containerd.runhcs.v1", options, false, false);
  }

  private static String handlerName(WindowsRelease release) {
    return HYPER_V + "-" + release.build();
  }

  @Override
  public boolean hasMounts() {
    return false;
  }
}
