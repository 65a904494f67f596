/// The network of pods: a namespace per pod, CNI plugins in it, and a tap device that hands the
/// pod's address to the guest.
///
/// Start with `PodNetworks`.
@NullMarked
package dev.berth.vm.network;

import org.jspecify.annotations.NullMarked;
