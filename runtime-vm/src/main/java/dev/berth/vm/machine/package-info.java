/// QEMU processes: their command line, start, monitor, disks and end.
///
/// Start with `VirtualMachines`, and with `QemuMachines`, which does it. A process has one of each:
/// a `QemuLauncher` from the path of QEMU and a directory for the launcher's program (its source is
/// `runtime-vm/launcher`), and `QemuMachines` from `QemuSettings`, the launcher and an accelerator.
/// Only root can start machines; QEMU itself runs as a user of its own.
///
/// Assumes that a guest takes over its QEMU: QEMU's user owns the contents of single files, no
/// directory, and no name that root follows.
@NullMarked
package dev.berth.vm.machine;

import org.jspecify.annotations.NullMarked;
