package dev.berth.agent.node.usage;

import dev.berth.agent.node.machine.LinuxMachine;
import dev.berth.agent.node.machine.LinuxNetwork;
import dev.berth.agent.node.machine.LinuxProcess;
import dev.berth.agent.pressure.SignalReadings.Reading;
import dev.berth.agent.usage.FreeDiskSpace;
import dev.berth.agent.usage.InterfaceCounters;
import dev.berth.agent.usage.MemoryDetails;
import dev.berth.agent.usage.ResourceUsage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// The free resources and the traffic of a machine.
///
/// @param disk the disk of pods
/// @param networks the main one first
/// @param startedAt the boot time
/// @param system the node's own system parts
public record MachineUsage(
    Reading memory,
    Reading swap,
    Reading processes,
    FreeDiskSpace disk,
    List<InterfaceCounters> networks,
    Instant startedAt,
    List<SystemContainerUsage> system) {
  public MachineUsage {
    networks = List.copyOf(networks);
    system = List.copyOf(system);
  }

  /// Reads the current values from Linux.
  ///
  /// @param runtimes `/proc` directories of the runtime services' processes
  public static MachineUsage of(LinuxMachine linux, List<Path> runtimes) throws IOException {
    Instant startedAt = Instant.ofEpochSecond(linux.bootSeconds());
    return new MachineUsage(
        linux.memoryLeft(),
        linux.swapLeft(),
        linux.processesLeft(),
        linux.diskLeft(),
        new LinuxNetwork(linux.root()).interfaces(),
        startedAt,
        system(linux.root(), runtimes, startedAt));
  }

  /// The agent and its runtimes, under the names that monitoring knows.
  private static List<SystemContainerUsage> system(Path root, List<Path> runtimes, Instant boot)
      throws IOException {
    List<SystemContainerUsage> parts = new ArrayList<>();
    parts.add(part("kubelet", List.of(LinuxProcess.of(root.resolve("proc/self"))), boot));
    List<LinuxProcess> present = new ArrayList<>();
    for (Path directory : runtimes) {
      try {
        present.add(LinuxProcess.of(directory));
      } catch (IOException e) {
        // The process has ended.
      }
    }
    if (!present.isEmpty()) {
      parts.add(part("runtime", present, boot));
    }
    return parts;
  }

  private static SystemContainerUsage part(
      String name, List<LinuxProcess> processes, Instant boot) {
    double started = processes.stream().mapToDouble(LinuxProcess::started).min().orElse(0);
    return new SystemContainerUsage(
        name,
        processes.stream().map(MachineUsage::use).reduce(ResourceUsage.NONE, ResourceUsage::plus),
        boot.plusMillis((long) (started * 1000)));
  }

  private static ResourceUsage use(LinuxProcess process) {
    return new ResourceUsage(
        process.cpu(),
        process.resident(),
        new MemoryDetails(
            process.resident(), process.resident(), process.faults(), process.majorFaults()));
  }

  /// The usage of the whole machine.
  public static ResourceUsage whole(LinuxMachine linux) throws IOException {
    return new ResourceUsage(
        linux.processorTime(),
        linux.memoryInUse(),
        new MemoryDetails(
            linux.memoryTaken(),
            linux.memoryOfProcesses(),
            linux.pageFaults("pgfault"),
            linux.pageFaults("pgmajfault")));
  }
}
