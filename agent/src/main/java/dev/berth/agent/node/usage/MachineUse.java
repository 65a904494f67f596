package dev.berth.agent.node.usage;

import dev.berth.agent.node.machine.DiskRoom;
import dev.berth.agent.node.machine.LinuxMachine;
import dev.berth.agent.node.machine.LinuxNetwork;
import dev.berth.agent.node.machine.LinuxProcess;
import dev.berth.agent.node.machine.NetworkUse;
import dev.berth.agent.pressure.Readings.Reading;
import java.io.IOException;
import java.time.Instant;
import java.util.List;

/// What is left of a machine, and what went through its network.
///
/// @param disk where pods write
/// @param networks the main one first
/// @param startedAt when the machine was
/// @param system what runs for the node itself
public record MachineUse(
    Reading memory,
    Reading swap,
    Reading processes,
    DiskRoom disk,
    List<NetworkUse> networks,
    Instant startedAt,
    List<SystemUse> system) {
  public MachineUse {
    networks = List.copyOf(networks);
    system = List.copyOf(system);
  }

  public static MachineUse of(LinuxMachine linux) throws IOException {
    Instant startedAt = Instant.ofEpochSecond(linux.bootSeconds());
    return new MachineUse(
        linux.memoryLeft(),
        linux.swapLeft(),
        linux.processesLeft(),
        linux.diskLeft(),
        new LinuxNetwork(linux.root()).interfaces(),
        startedAt,
        List.of(agent(LinuxProcess.of(linux.root().resolve("proc/self")), startedAt)));
  }

  /// The agent itself, under the name that monitoring knows.
  private static SystemUse agent(LinuxProcess process, Instant boot) {
    return new SystemUse(
        "kubelet",
        new Use(
            process.cpu(),
            process.resident(),
            new MemoryDetails(
                process.resident(), process.resident(), process.faults(), process.majorFaults())),
        boot.plusMillis((long) (process.started() * 1000)));
  }

  /// All of a machine, pods or not.
  public static Use whole(LinuxMachine linux) throws IOException {
    return new Use(
        linux.processorTime(),
        linux.memoryInUse(),
        new MemoryDetails(
            linux.memoryTaken(),
            linux.memoryOfProcesses(),
            linux.pageFaults("pgfault"),
            linux.pageFaults("pgmajfault")));
  }
}
