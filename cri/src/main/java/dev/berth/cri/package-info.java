/// The container runtime interface: the contract, channels to runtime services, clients for them,
/// and a server to build one; with the contract for virtual machines beside it. Start at
/// `RuntimeClient` and `CriChannels`.
///
/// The generated messages are in `dev.berth.cri.v1` and `dev.berth.cri.vm.v1`. Knows no runtime and
/// no node.
@NullMarked
package dev.berth.cri;

import org.jspecify.annotations.NullMarked;
