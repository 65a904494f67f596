package dev.berth.launch.agent;

import dev.berth.agent.node.machine.LinuxMachine;
import dev.berth.agent.node.machine.MachineInfo;
import dev.berth.agent.pods.PodSettings;
import dev.berth.agent.pods.config.NodeSettings;
import dev.berth.agent.pods.config.PlatformConfig;
import dev.berth.agent.pods.config.linux.LinuxPlatform;
import dev.berth.sim.profile.SimProfile;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Linux, as it is on this machine. A simulated Linux node has the same description, so that its
/// pods can use the same images.
public record LinuxSystem() implements NodeSystem {
  static Optional<NodeSystem> parse(String text) {
    return text.equals("linux") ? Optional.of(new LinuxSystem()) : Optional.empty();
  }

  @Override
  public PlatformConfig platform(NodeSettings settings, PodSettings rules, boolean areReal) {
    LinuxMachine machine = new LinuxMachine(Path.of("/"), settings.pods());
    return new LinuxPlatform(settings, rules.sysctls(), !areReal || machine.hasAppArmor());
  }

  @Override
  public MachineInfo describe(MachineInfo machine) {
    return machine;
  }

  @Override
  public SimProfile simulated() {
    return SimProfile.named("linux/amd64").orElseThrow();
  }

  @Override
  public List<DefaultRuntimeClass> simulatedClasses() {
    return List.of();
  }

  @Override
  public boolean hasMounts() {
    return true;
  }
}
