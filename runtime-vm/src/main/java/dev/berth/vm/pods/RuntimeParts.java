package dev.berth.vm.pods;

import dev.berth.vm.images.VmImages;
import dev.berth.vm.machine.VirtualMachines;
import dev.berth.vm.network.PodNetworks;
import dev.berth.vm.template.MachineSources;

/// What pods are made of.
public record RuntimeParts(
    VirtualMachines machines,
    MachineSources sources,
    PodNetworks networks,
    VmImages images,
    GuestOpener opener) {}
