/// QEMU processes: their command line, start, monitor, disks and end.
///
/// Start with `VirtualMachines`.
@NullMarked
package dev.berth.vm.machine;

import org.jspecify.annotations.NullMarked;
