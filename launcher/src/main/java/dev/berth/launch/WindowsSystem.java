package dev.berth.launch;

import dev.berth.agent.node.machine.MachineFacts;
import dev.berth.agent.node.machine.MachineFacts.Size;
import dev.berth.agent.pods.config.NodeSettings;
import dev.berth.agent.pods.config.Platform;
import dev.berth.agent.pods.config.WindowsPlatform;
import dev.berth.sim.profile.Profile;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Windows, as runtime services on this machine simulate it.
///
/// @param version such as `10.0.20348.2340`; its first three numbers are the build
public record WindowsSystem(String version) implements NodeSystem {
  private static final String USUAL = "10.0.20348.2340";
  private static final Pattern BUILD = Pattern.compile("(\\d+\\.\\d+\\.\\d+)(\\.\\d+)?");

  static Optional<NodeSystem> parse(String text) {
    String version = text.equals("windows") ? USUAL : text.replaceFirst("^windows:", "");
    return BUILD.matcher(version).matches() && text.startsWith("windows")
        ? Optional.of(new WindowsSystem(version))
        : Optional.empty();
  }

  @Override
  public Platform platform(NodeSettings settings, PodRules rules, boolean areReal) {
    return new WindowsPlatform(settings, rules.processors());
  }

  @Override
  public MachineFacts describe(MachineFacts machine) {
    Size size = machine.size();
    return new MachineFacts(
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

  @Override
  public Profile simulated() {
    Profile profile = Profile.named("windows/amd64").orElseThrow();
    return profile.withPlatform(profile.platform().withOsVersion(version));
  }

  @Override
  public boolean hasMounts() {
    return false;
  }
}
