package dev.berth.checks.kubectl;

import dev.berth.agent.node.machine.MachineFacts;
import dev.berth.agent.pods.config.LinuxPlatform;
import dev.berth.agent.pods.config.NodeSettings;
import dev.berth.agent.pods.config.Platform;
import dev.berth.launch.FirstClass;
import dev.berth.launch.NodeSystem;
import dev.berth.launch.PodRules;
import dev.berth.sim.profile.Profile;
import java.util.List;

/// A simulated Linux whose kernel has no AppArmor.
record SystemWithoutAppArmor(NodeSystem linux) implements NodeSystem {
  @Override
  public Platform platform(NodeSettings settings, PodRules rules, boolean areReal) {
    return new LinuxPlatform(settings, rules.sysctls(), false);
  }

  @Override
  public MachineFacts describe(MachineFacts machine) {
    return linux.describe(machine);
  }

  @Override
  public Profile simulated() {
    return linux.simulated();
  }

  @Override
  public List<FirstClass> simulatedClasses() {
    return linux.simulatedClasses();
  }

  @Override
  public boolean hasMounts() {
    return linux.hasMounts();
  }
}
