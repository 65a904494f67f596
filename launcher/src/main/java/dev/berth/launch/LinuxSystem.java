package dev.berth.launch;

import dev.berth.agent.node.machine.LinuxMachine;
import dev.berth.agent.node.machine.MachineFacts;
import dev.berth.agent.pods.config.LinuxPlatform;
import dev.berth.agent.pods.config.NodeSettings;
import dev.berth.agent.pods.config.Platform;
import dev.berth.sim.profile.Profile;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Linux, as it is on this machine.
public record LinuxSystem() implements NodeSystem {
  static Optional<NodeSystem> parse(String text) {
    return text.equals("linux") ? Optional.of(new LinuxSystem()) : Optional.empty();
  }

  @Override
  public Platform platform(NodeSettings settings, PodRules rules, boolean areReal) {
    LinuxMachine machine = new LinuxMachine(Path.of("/"), settings.pods());
    return new LinuxPlatform(settings, rules.sysctls(), !areReal || machine.hasAppArmor());
  }

  @Override
  public MachineFacts describe(MachineFacts machine) {
    return machine;
  }

  @Override
  public Profile simulated() {
    return Profile.named("linux/amd64").orElseThrow();
  }

  @Override
  public List<FirstClass> simulatedClasses() {
    return List.of();
  }

  @Override
  public boolean hasMounts() {
    return true;
  }
}
