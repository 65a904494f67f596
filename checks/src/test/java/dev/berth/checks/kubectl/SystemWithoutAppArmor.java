package dev.berth.checks.kubectl;

import dev.berth.agent.node.machine.MachineInfo;
import dev.berth.agent.pods.PodSettings;
import dev.berth.agent.pods.config.NodeSettings;
import dev.berth.agent.pods.config.PlatformConfig;
import dev.berth.agent.pods.config.linux.LinuxPlatform;
import dev.berth.launch.agent.DefaultRuntimeClass;
import dev.berth.launch.agent.NodeSystem;
import dev.berth.sim.profile.SimProfile;
import java.util.List;

/// A simulated Linux whose kernel has no AppArmor.
record SystemWithoutAppArmor(NodeSystem linux) implements NodeSystem {
  @Override
  public PlatformConfig platform(NodeSettings settings, PodSettings rules, boolean areReal) {
    return new LinuxPlatform(settings, rules.sysctls(), false);
  }

  @Override
  public MachineInfo describe(MachineInfo machine) {
    return linux.describe(machine);
  }

  @Override
  public SimProfile simulated() {
    return linux.simulated();
  }

  @Override
  public List<DefaultRuntimeClass> simulatedClasses() {
    return linux.simulatedClasses();
  }

  @Override
  public boolean hasMounts() {
    return linux.hasMounts();
  }
}
