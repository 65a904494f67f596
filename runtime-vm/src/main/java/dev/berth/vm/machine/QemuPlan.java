package dev.berth.vm.machine;

import dev.berth.vm.kernel.GuestFiles;
import dev.berth.vm.network.PodInterface;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Everything that a QEMU process is started with.
///
/// @param name shown in the list of processes
/// @param directory owned by root; QEMU's working directory, so that it needs no permission on the
///   directories above
/// @param user the user and group id of the process
/// @param incoming the saved state to continue from; a machine without it boots
/// @param network empty: a network of its own that leads nowhere
/// @param cgroups the `cgroup.procs` files to join
public record QemuPlan(
    String name,
    Path directory,
    int user,
    MachineSize size,
    Accelerator accelerator,
    GuestFiles guest,
    GuestMemory memory,
    ScratchDisk scratch,
    Optional<Path> incoming,
    Optional<PodInterface> network,
    List<Path> cgroups) {
  public QemuPlan {
    cgroups = List.copyOf(cgroups);
  }

  /// Where the guest's memory comes from.
  public sealed interface GuestMemory {
    /// The process has it alone.
    record Anonymous() implements GuestMemory {}

    /// A file. QEMU opens it for writing whatever it does with it, so a file that several machines
    /// share must be sealed.
    ///
    /// @param copyOnWrite whether the machine keeps what it writes for itself
    record Mapped(Path file, boolean copyOnWrite) implements GuestMemory {}
  }

  /// The writable disk of the guest.
  public sealed interface ScratchDisk {
    /// A raw file in the machine's directory.
    record Plain(String file) implements ScratchDisk {}

    /// A file in the machine's directory that takes what is written over another one.
    ///
    /// @param base is only read
    record Overlay(String file, Path base) implements ScratchDisk {}
  }
}
