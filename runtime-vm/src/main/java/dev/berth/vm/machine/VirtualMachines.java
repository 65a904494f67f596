package dev.berth.vm.machine;

import java.util.List;
import java.util.Optional;

/// The machines of this host's pods, one per sandbox.
public interface VirtualMachines {
  /// Makes the machine's directory and chooses a user id that no other machine has. The same
  /// sandbox gets the same one again.
  int reserve(String sandboxId);

  /// Starts a machine. Its guest runs when this returns, but its guest program may not answer yet.
  ///
  /// @throws MachineException after which [#remove] is still due
  VirtualMachine start(MachineSpec spec);

  /// The machines that run, or ended since this process started or recovered them; each has a
  /// [VirtualMachine#exit].
  Optional<VirtualMachine> find(String sandboxId);

  /// Finds the machines that an earlier process started, and watches them again. A machine that
  /// ended in between is among them, with its exit. What a start left half-way is removed.
  List<VirtualMachine> recover();

  /// Kills the machine and removes everything it has on disk; does nothing where nothing is.
  void remove(String sandboxId);
}
