package dev.berth.launch;

import dev.berth.agent.node.machine.LinuxMachine;
import dev.berth.agent.node.usage.MachineUse;
import dev.berth.agent.node.usage.Use;
import java.io.IOException;
import java.io.UncheckedIOException;

/// What Linux tells of itself at a moment, without checked exceptions.
final class MachineReadings {
  private MachineReadings() {}

  static Use use(LinuxMachine linux) {
    try {
      return MachineUse.whole(linux);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static MachineUse all(LinuxMachine linux, RuntimeProcesses runtimes) {
    try {
      return MachineUse.of(linux, runtimes.folders());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
