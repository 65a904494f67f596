package dev.berth.vm.machine;

/// Why a machine is gone.
///
/// @param detail for messages; it may quote what the guest wrote to its console
public record MachineExit(ExitReason reason, String detail) {
  /// Who ended the machine.
  public enum ExitReason {
    /// [VirtualMachine#kill].
    KILLED,
    /// The guest powered off.
    POWERED_OFF,
    /// The guest's kernel panicked or reset the machine.
    PANICKED,
    /// QEMU ended by itself or by somebody else, such as the kernel short of memory.
    VANISHED
  }
}
