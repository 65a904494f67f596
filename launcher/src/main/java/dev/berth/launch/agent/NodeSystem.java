package dev.berth.launch.agent;

import dev.berth.agent.node.machine.MachineInfo;
import dev.berth.agent.pods.PodSettings;
import dev.berth.agent.pods.config.NodeSettings;
import dev.berth.agent.pods.config.PlatformConfig;
import dev.berth.sim.profile.SimProfile;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// The operating system of a node's runtime services: this machine's, or one that they simulate.
public interface NodeSystem {
  /// The platform-specific part of a pod's configuration for its runtime services.
  ///
  /// @param areReal whether pods are processes of this machine
  PlatformConfig platform(NodeSettings settings, PodSettings rules, boolean areReal);

  /// The description of the machine in the Node object.
  MachineInfo describe(MachineInfo machine);

  /// The profile of a simulated runtime of this system.
  SimProfile simulated();

  /// The RuntimeClasses with which a cluster of such a simulated node starts.
  List<DefaultRuntimeClass> simulatedClasses();

  /// Whether pods' volumes may need mounts of this machine.
  boolean hasMounts();

  /// Reads `linux`, `windows` or `windows:10.0.17763.805`; empty when it is none of them.
  static Optional<NodeSystem> parse(String text) {
    List<Function<String, Optional<NodeSystem>>> systems =
        List.of(LinuxSystem::parse, WindowsSystem::parse);
    return systems.stream().map(system -> system.apply(text)).flatMap(Optional::stream).findFirst();
  }
}
