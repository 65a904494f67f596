package dev.berth.launch.agent;

import dev.berth.agent.node.machine.LinuxMachine;
import dev.berth.agent.node.usage.MachineUsage;
import dev.berth.agent.usage.ResourceUsage;
import dev.berth.launch.runtimes.RuntimeProcesses;
import java.io.IOException;
import java.io.UncheckedIOException;

/// The resource usage of the machine at a moment, for callers that cannot pass on a checked
/// exception.
final class MachineReadings {
  private MachineReadings() {}

  static ResourceUsage use(LinuxMachine linux) {
    try {
      return MachineUsage.whole(linux);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static MachineUsage all(LinuxMachine linux, RuntimeProcesses runtimes) {
    try {
      return MachineUsage.of(linux, runtimes.directories());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
