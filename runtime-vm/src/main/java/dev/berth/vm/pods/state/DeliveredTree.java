package dev.berth.vm.pods.state;

/// Files of the host that a guest has a copy of.
///
/// @param name in the guest; containers with the same source share it
/// @param source a directory or file of the host
/// @param followed whether changes of the source are delivered, too
public record DeliveredTree(String name, String source, boolean followed) {}
