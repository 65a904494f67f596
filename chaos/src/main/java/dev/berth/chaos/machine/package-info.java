/// The means of a run on its machine: processes, disks on loop devices, network namespaces, clocks.
@NullMarked
package dev.berth.chaos.machine;

import org.jspecify.annotations.NullMarked;
