/// The contract for virtual machines on a simulated hypervisor. Start at `SimVmService`;
/// `VmLifecycle` holds the life cycle.
@NullMarked
package dev.berth.sim.vm;

import org.jspecify.annotations.NullMarked;
