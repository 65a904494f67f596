package dev.berth.agent.node.usage;

import dev.berth.agent.node.machine.DiskRoom;
import dev.berth.agent.node.machine.LinuxMachine;
import dev.berth.agent.node.machine.LinuxNetwork;
import dev.berth.agent.node.machine.LinuxProcess;
import dev.berth.agent.node.machine.NetworkUse;
import dev.berth.agent.pressure.Readings.Reading;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
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

  /// What Linux tells now.
  ///
  /// @param runtimes the folders in `/proc` of the processes that are its runtime services
  public static MachineUse of(LinuxMachine linux, List<Path> runtimes) throws IOException {
    Instant startedAt = Instant.ofEpochSecond(linux.bootSeconds());
    return new MachineUse(
        linux.memoryLeft(),
        linux.swapLeft(),
        linux.processesLeft(),
        linux.diskLeft(),
        new LinuxNetwork(linux.root()).interfaces(),
        startedAt,
        system(linux.root(), runtimes, startedAt));
  }

  /// The agent itself and its runtimes, under the names that monitoring knows.
  private static List<SystemUse> system(Path root, List<Path> runtimes, Instant boot)
      throws IOException {
    List<SystemUse> parts = new ArrayList<>();
    parts.add(part("kubelet", List.of(LinuxProcess.of(root.resolve("proc/self"))), boot));
    List<LinuxProcess> present = new ArrayList<>();
    for (Path folder : runtimes) {
      try {
        present.add(LinuxProcess.of(folder));
      } catch (IOException e) {
        // It ended meanwhile.
      }
    }
    if (!present.isEmpty()) {
      parts.add(part("runtime", present, boot));
    }
    return parts;
  }

  private static SystemUse part(String name, List<LinuxProcess> processes, Instant boot) {
    double started = processes.stream().mapToDouble(LinuxProcess::started).min().orElse(0);
    return new SystemUse(
        name,
        processes.stream().map(MachineUse::use).reduce(Use.NONE, Use::plus),
        boot.plusMillis((long) (started * 1000)));
  }

  private static Use use(LinuxProcess process) {
    return new Use(
        process.cpu(),
        process.resident(),
        new MemoryDetails(
            process.resident(), process.resident(), process.faults(), process.majorFaults()));
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
