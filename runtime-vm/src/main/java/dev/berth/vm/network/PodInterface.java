package dev.berth.vm.network;

import java.nio.file.Path;

/// The place of a machine in the network of its pod: QEMU enters the namespace and opens the tap
/// device there.
///
/// @param namespace a file that keeps the network namespace
/// @param tap the name of the tap device in it
public record PodInterface(Path namespace, String tap) {}
