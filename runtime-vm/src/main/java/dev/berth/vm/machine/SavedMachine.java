package dev.berth.vm.machine;

import java.nio.file.Path;

/// A machine that was saved while its guest waited for orders.
///
/// @param memory the guest's memory; clones map it copy-on-write
/// @param state the state of processors and devices
/// @param scratch the writable disk, which the guest has mounted
public record SavedMachine(Path memory, Path state, Path scratch) {}
