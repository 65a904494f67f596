package dev.berth.vm.machine;

import dev.berth.vm.kernel.GuestFiles;
import java.nio.file.Path;

/// What a machine starts from.
public sealed interface MachineSource {
  /// The files of the guest's kernel: a saved machine has the same command line as a booted one.
  GuestFiles guest();

  /// A copy-on-write clone. Clones share pages of memory with each other.
  record Restored(GuestFiles guest, SavedMachine saved) implements MachineSource {}

  /// A boot with memory of its own.
  ///
  /// @param scratch an empty file system, which the machine's own disk is laid over
  record Booted(GuestFiles guest, Path scratch) implements MachineSource {}
}
