package dev.berth.vm.machine;

import dev.berth.vm.network.PodInterface;

/// A machine to start.
///
/// @param user the user id of its QEMU process, from [VirtualMachines#reserve]
/// @param cgroupParent as in CRI, such as `/kubepods/pod1` or `kubepods-pod1.slice`; empty for the
///   group of this process
public record MachineSpec(
    String sandboxId,
    int user,
    MachineSize size,
    MachineSource source,
    PodInterface network,
    String cgroupParent) {}
