package dev.berth.agent.node.usage;

import dev.berth.agent.node.machine.DiskRoom;
import dev.berth.agent.node.machine.LinuxMachine;
import dev.berth.agent.node.machine.LinuxNetwork;
import dev.berth.agent.node.machine.NetworkUse;
import dev.berth.agent.pressure.Readings.Reading;
import java.io.IOException;
import java.util.List;

/// What is left of a machine, and what went through its network.
///
/// @param disk where pods write
/// @param networks the main one first
public record MachineUse(
    Reading memory, Reading processes, DiskRoom disk, List<NetworkUse> networks) {
  public MachineUse {
    networks = List.copyOf(networks);
  }

  public static MachineUse of(LinuxMachine linux) throws IOException {
    return new MachineUse(
        linux.memoryLeft(),
        linux.processesLeft(),
        linux.diskLeft(),
        new LinuxNetwork(linux.root()).interfaces());
  }
}
