/// The Container Runtime Interface: its messages, connections to runtime services, blocking
/// clients, and a server; also the contract for virtual machines. Start at `RuntimeClient` and
/// `CriChannels`.
///
/// The generated messages are in `dev.berth.cri.v1` and `dev.berth.cri.vm.v1`. This package knows
/// no particular runtime and no node.
@NullMarked
package dev.berth.cri;

import org.jspecify.annotations.NullMarked;
